import { createHash } from "node:crypto";
import type { NewsKind } from "#db/words/news-kinds";

/** Kinds that share one tag per subject, so that a conversation has only one push on the screen. */
const TOGETHER: readonly string[] = ["message", "contact"] satisfies NewsKind[];

/**
 * Returns a notification's tag, by which a later one replaces it in the browser. It is also the push's topic, by which
 * the push service replaces an undelivered push. The service can read it, so it is a hash.
 */
export function tagOf({ kind, subject }: { kind: string; subject: string }): string {
  const name = TOGETHER.includes(kind) ? subject : `${kind} ${subject}`;
  return createHash("sha256").update(name).digest("base64url").slice(0, 16);
}
