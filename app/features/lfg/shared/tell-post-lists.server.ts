import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { blocks, lfgPosts, playerNames } from "#db/schema";
import type { ListedPost, PostFacts } from "#party/wire/calls";
import type { PostState } from "#party/wire/post-frames";
import { rankAt } from "~/game/ranks";
import type { RequestContext } from "~/platform/context";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";
import { seenLately } from "./author-presence.server";
import { postListRooms } from "./post-rooms.server";
import { isOpenPost } from "./post-state.server";

/** The most players with a block between them and an author. An author with more isn't announced to open lists. */
const MAX_APART = 5_000;

/**
 * SQL for the time of the database's clock, in milliseconds since 1970. It orders what different Workers read, because
 * their own clocks differ.
 */
const databaseTime = sql`CAST(unixepoch('subsec') * 1000 AS INTEGER)`;

/** Reads the time of the database's clock, by which the rooms order what was read. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const [clock] = await db.all<{ time: number }>(sql`SELECT ${databaseTime} AS time`);
  return clock?.time ?? 0;
}

type Caller = RoomCaller & Pick<RequestContext, "db">;

/**
 * After the response, tells the open lists that a post was made, bumped, changed or deleted. One statement reads the
 * post and the players with a block between them and its author; the lists themselves read nothing.
 * @param isNew whether the post has come to the top of the list
 */
export function tellPostLists({ db, env, defer }: Caller, postId: string, isNew = false): void {
  defer(async () => {
    const post = await findListedPost(db, postId, isNew);
    if (post) await Promise.all(postListRooms(env).map((room) => callRoom(() => room.tell(post))));
  });
}

/**
 * Reads the facts about a post that the rooms need. A deleted post counts as closed. Undefined if the post is hidden
 * from too many players (`MAX_APART`).
 */
async function findListedPost(db: Database, id: string, isNew: boolean): Promise<ListedPost | undefined> {
  const now = new Date();
  const author = sql`${lfgPosts.userId}`;
  const [row] = await db.all<FactsRow>(sql`
    SELECT ${databaseTime} AS readAt, ${lfgPosts.userId} AS authorId, ${lfgPosts.neededPlayers} AS needed, ${lfgPosts.takenSpots} AS taken,
      ${isOpenPost(now.getTime())} AS isOpen,
      ${lfgPosts.requiredRank} AS requiredRank, ${lfgPosts.requiredRole} AS requiredRole, ${lfgPosts.region} AS region,
      ${lfgPosts.voiceComms} AS voiceComms, ${lfgPosts.searchText} AS searchText,
      coalesce(${seenLately(now).check}, 0) AS isAuthorOnline,
      (SELECT json_group_array(${playerNames.word}) FROM ${playerNames} WHERE ${playerNames.userId} = ${author}) AS names,
      (SELECT json_group_array(apart.id) FROM (
        SELECT ${blocks.blockedId} AS id FROM ${blocks} WHERE ${blocks.blockerId} = ${author}
        UNION ALL SELECT ${blocks.blockerId} FROM ${blocks} WHERE ${blocks.blockedId} = ${author}
        LIMIT ${MAX_APART + 1}
      ) AS apart) AS hiddenFrom
    FROM ${lfgPosts} WHERE ${lfgPosts.id} = ${id}`);
  if (!row) return { facts: { ...GONE_FACTS, id }, isNew: false, hiddenFrom: [], readAt: await readDatabaseTime(db) };
  const { readAt, needed, taken, requiredRank, isOpen, isAuthorOnline, names, hiddenFrom, ...same } = row;
  const apart = JSON.parse(hiddenFrom) as string[];
  if (apart.length > MAX_APART) return undefined;
  const facts = {
    ...same,
    id,
    openSpots: needed - taken,
    takenSpots: taken,
    isOpen: isOpen === 1,
    requiredRank: rankAt(requiredRank),
    isAuthorOnline: isAuthorOnline === 1,
    names: JSON.parse(names) as string[],
  };
  return { facts, isNew: isNew && facts.isOpen, hiddenFrom: apart, readAt };
}

type FactsRow = Pick<PostFacts, "authorId" | "requiredRole" | "region" | "voiceComms" | "searchText"> & {
  readAt: number;
  needed: number;
  taken: number;
  isOpen: number;
  requiredRank: number | null;
  isAuthorOnline: number;
  names: string;
  hiddenFrom: string;
};

/** The state of a post that was deleted. */
export const GONE: Omit<PostState, "id"> = { openSpots: 0, takenSpots: 0, isOpen: false };

/** The facts of a post that was deleted. */
const GONE_FACTS: Omit<PostFacts, "id"> = {
  ...GONE,
  authorId: "",
  requiredRank: null,
  requiredRole: null,
  region: null,
  voiceComms: null,
  searchText: "",
  names: [],
  isAuthorOnline: false,
};
