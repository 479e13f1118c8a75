import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { presence, profiles } from "#db/schema";
import { transact } from "#db/statements";
import type { PresencePolicy } from "#db/words/presence-policies";
import { renewPresenceOnPosts } from "~/features/lfg/shared/author-presence.server";
import type { RequestContext } from "~/platform/context";
import { callRoom, type RoomCaller } from "~/platform/rooms/rooms.server";

/** Returns a player's own choice of who sees when they are online; undefined if the account is gone. */
export async function findPresencePolicy(db: Database, userId: string): Promise<PresencePolicy | undefined> {
  const row = await db
    .select({ policy: profiles.presencePolicy })
    .from(profiles)
    .where(eq(profiles.userId, userId))
    .get();
  return row?.policy;
}

/**
 * Saves a player's own choice. Their open posts follow it immediately, and a presence that they hide is deleted. After
 * the response, their inbox stops or begins to publish their presence.
 */
export async function choosePresencePolicy(
  { db, env, defer }: RoomCaller & Pick<RequestContext, "db">,
  userId: string,
  policy: PresencePolicy,
): Promise<void> {
  await transact(db, {
    save: db.update(profiles).set({ presencePolicy: policy }).where(eq(profiles.userId, userId)),
    forget: db.run(sql`DELETE FROM ${presence} WHERE ${presence.userId} = ${userId} AND ${policy} = 'nobody'`),
    renew: renewPresenceOnPosts(db, userId),
  });
  defer(() => callRoom(() => env.INBOX_ROOMS.getByName(userId).setHidden(policy === "nobody")));
}
