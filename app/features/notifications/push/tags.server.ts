import { createHash } from "node:crypto";
import type { NewsKind } from "#db/words/news-kinds";

/** Kinds that share one tag per subject, so that a conversation has only one push on the screen. */
const TOGETHER: readonly string[] = ["message", "contact"] satisfies NewsKind[];

/**
 * Returns a notification's tag: in the browser, a later notification with the same tag replaces it. The tag is also the
 * push's topic: at the push service, a later push with the same topic replaces one that is undelivered. The service can
 * read the topic, so it is a hash.
 */
export function tagOf({ kind, subject }: { kind: string; subject: string }): string {
  const name = TOGETHER.includes(kind) ? subject : `${kind} ${subject}`;
  return createHash("sha256").update(name).digest("base64url").slice(0, 16);
}
