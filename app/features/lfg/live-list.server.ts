import { inArray } from "drizzle-orm";
import type { Database } from "#db/client";
import { lfgPosts } from "#db/schema";
import type { PostState } from "#party/wire/post-frames";
import { pageUpTo } from "~/platform/lists/keyset";
import type { SearchParams, Values } from "~/platform/search-params/search-params";
import { POST_LIST } from "./filters";
import { listOpenPosts } from "./post-list.server";
import { isOpen } from "./rules";
import { GONE, readDatabaseTime } from "./shared/tell-post-lists.server";

const { cursor: _, seen: __, ...filters } = POST_LIST;

/** The address of the room that keeps a list up to date: its filters, and what the page shows already. */
export const LIVE_LIST = {
  ...filters,
  /** When the page was loaded, in milliseconds since 1970. */
  since: { kind: "number", min: 0, max: 8.64e15 },
  /** The posts on the page. */
  shown: { kind: "ids", max: 32 },
} satisfies SearchParams;

/** Maximum number of new posts that are counted; pages show a hundred or more as "99+". */
const NEWER_LIMIT = 100;
/**
 * Maximum time between the request that makes a post and the moment it is stored, in milliseconds. A page loaded in
 * between lacks the post.
 */
const MAX_STORING_TIME = 5_000;

/**
 * Reads the data that an open list may have missed by the time its socket opens: the posts listed since the page was
 * loaded, and the state of the posts that it shows. A deleted post counts as closed. `readAt` is the database's time
 * before both.
 */
export async function findMissed(
  db: Database,
  { since, shown, ...filters }: Values<typeof LIVE_LIST>,
  viewerId: string,
  now: Date,
): Promise<{ newer: string[]; shown: PostState[]; readAt: number }> {
  const from = pageUpTo({ key: Math.max(0, since - MAX_STORING_TIME), id: "" });
  const [readAt, { found }, rows] = await Promise.all([
    readDatabaseTime(db),
    listOpenPosts(db, filters, from, viewerId, now, NEWER_LIMIT + shown.length),
    db
      .select({
        id: lfgPosts.id,
        neededPlayers: lfgPosts.neededPlayers,
        takenSpots: lfgPosts.takenSpots,
        isActive: lfgPosts.isActive,
        expiresAt: lfgPosts.expiresAt,
      })
      .from(lfgPosts)
      .where(inArray(lfgPosts.id, shown)),
  ]);
  const states = new Map(
    rows.map(({ id, neededPlayers, takenSpots, ...post }) => [
      id,
      { openSpots: neededPlayers - takenSpots, takenSpots, isOpen: isOpen(post, now) },
    ]),
  );
  return {
    newer: found.flatMap(({ id, userId }) => (userId === viewerId || shown.includes(id) ? [] : [id])),
    shown: shown.map((id) => ({ id, ...(states.get(id) ?? GONE) })),
    readAt,
  };
}
