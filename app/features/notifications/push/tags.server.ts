import { createHash } from "node:crypto";
import type { NewsKind } from "#db/words/news-kinds";

/** Kinds whose pushes about the same subject replace each other: a conversation shows once. */
const TOGETHER: readonly string[] = ["message", "contact"] satisfies NewsKind[];

/**
 * Returns the name under which a browser shows a notification, so that a later one replaces it. It is also the topic of
 * the push, by which the push service replaces one that has not arrived. The service can read it, so it is a hash.
 */
export function tagOf({ kind, subject }: { kind: string; subject: string }): string {
  const name = TOGETHER.includes(kind) ? subject : `${kind} ${subject}`;
  return createHash("sha256").update(name).digest("base64url").slice(0, 16);
}
