import { NEWS_GROUPS, type NewsGroup } from "#db/words/news-groups";
import { sign, unsign } from "~/platform/crypto/crypto.server";
import type { Env } from "~/platform/env";

/** The player and the groups whose emails a link turns off. */
interface Unsubscription {
  userId: string;
  groups: NewsGroup[];
}

/** Derives keys for these links alone, so that their signatures are valid for nothing else. */
const keysOf = ({ SESSION_SECRET }: Pick<Env, "SESSION_SECRET">) =>
  SESSION_SECRET.map((secret) => sign("unsubscribe", [secret]));

/** Returns the path that turns off emails about some groups. It needs no session and never expires. */
export const unsubscribePath = (env: Pick<Env, "SESSION_SECRET">, { userId, groups }: Unsubscription): string =>
  `/unsubscribe/${sign(`${userId}.${groups.join("-")}`, keysOf(env))}`;

/** Reads the token of such a path; null unless we signed it. */
export function readUnsubscription(env: Pick<Env, "SESSION_SECRET">, token: string): Unsubscription | null {
  const [userId, words = ""] = unsign(token, keysOf(env))?.split(".") ?? [];
  const groups = NEWS_GROUPS.filter((group) => words.split("-").includes(group));
  return userId && groups.length > 0 ? { userId, groups } : null;
}
