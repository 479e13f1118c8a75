import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { presence, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import type { SeenPresence } from "#party/wire/presence";

/**
 * Stores a player's presence for pages to read. An older report doesn't overwrite a newer one, and an account that is
 * gone gets no presence.
 */
export async function setPresence(db: Database, userId: string, { state, seenAt }: SeenPresence): Promise<void> {
  await db.run(sql`
    INSERT INTO ${presence} ${columnsOf(presence, "userId", "state", "seenAt")}
      SELECT ${users.id}, ${state}, ${seenAt} FROM ${users} WHERE ${users.id} = ${userId}
    ON CONFLICT ${columnsOf(presence, "userId")} DO UPDATE
      SET ${bare(presence.state)} = excluded.${bare(presence.state)},
      ${bare(presence.seenAt)} = excluded.${bare(presence.seenAt)}
    WHERE excluded.${bare(presence.seenAt)} >= ${presence.seenAt}`);
}
