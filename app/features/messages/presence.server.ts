import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { showPresenceOnPosts } from "#db/presence";
import { presence, profiles } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { SeenPresence } from "#party/wire/presence";
import { findPresencePolicy } from "~/features/players/shared/presence-policy.server";

/**
 * Stores a player's presence for pages to read and, if everyone may see it, copies it into the player's open posts. An
 * older report doesn't overwrite a newer one. Stores nothing for an account that is gone, or for a player who hides
 * their presence.
 * @returns whether the player hides it
 */
export async function storePresence(db: Database, userId: string, seen: SeenPresence): Promise<{ isHidden: boolean }> {
  const { state, seenAt } = seen;
  const [policy] = await Promise.all([
    findPresencePolicy(db, userId),
    db.run(sql`
      INSERT INTO ${presence} ${columnsOf(presence, "userId", "state", "seenAt")}
        SELECT ${profiles.userId}, ${state}, ${seenAt} FROM ${profiles}
        WHERE ${profiles.userId} = ${userId} AND ${profiles.presencePolicy} <> 'nobody'
      ON CONFLICT ${columnsOf(presence, "userId")} DO UPDATE
        SET ${bare(presence.state)} = excluded.${bare(presence.state)},
        ${bare(presence.seenAt)} = excluded.${bare(presence.seenAt)}
      WHERE excluded.${bare(presence.seenAt)} >= ${presence.seenAt}`),
    showPresenceOnPosts(db, userId, seen),
  ]);
  return { isHidden: policy === "nobody" };
}
