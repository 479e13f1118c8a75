import { HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts } from "../../db/schema";
import type { TestDatabase } from "./database";

interface WithId {
  id: string;
}

/** Adds a session that is over: the author's post with the players who joined it. @returns the post's id */
export async function addSession(
  db: TestDatabase,
  author: WithId,
  members: readonly WithId[],
  { endedAt = new Date(Date.now() - HOUR), title = "Trio for Lotus" } = {},
): Promise<string> {
  const createdAt = new Date(endedAt.getTime() - 3 * HOUR);
  const id = uuidv7(createdAt.getTime());
  const spots = Math.max(1, members.length);
  await db.insert(lfgPosts).values({
    id,
    userId: author.id,
    title,
    searchText: title.toLowerCase(),
    neededPlayers: spots,
    takenSpots: members.length,
    isActive: false,
    createdAt,
    listedAt: createdAt,
    updatedAt: endedAt,
    expiresAt: new Date(createdAt.getTime() + 24 * HOUR),
    filledAt: createdAt,
    sessionEndedAt: endedAt,
  });
  for (const member of members) {
    await db.insert(joinRequests).values({
      id: uuidv7(),
      postId: id,
      userId: member.id,
      state: "accepted",
      createdAt,
      decidedAt: createdAt,
      playedAt: endedAt,
    });
  }
  return id;
}
