import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { blocks, conversations, profiles, users } from "#db/schema";
import { columnsOf } from "#db/sql";
import { displayName } from "~/features/players/rules";
import { pairKey } from "./rules";

/** Blocks a player: from now on neither can write to the other. Has no effect if the player is already blocked. */
export async function blockPlayer(db: Database, blockerId: string, blockedId: string, now: number): Promise<void> {
  await db.run(sql`
    INSERT INTO ${blocks} ${columnsOf(blocks, "blockerId", "blockedId", "createdAt")}
    SELECT ${blockerId}, ${users.id}, ${now} FROM ${users} WHERE ${users.id} = ${blockedId}
      AND ${users.id} <> ${blockerId}
    ON CONFLICT DO NOTHING`);
}

/**
 * Removes the viewer's block of a player. The two can write to each other again, unless the other has also blocked the
 * viewer. Has no effect if there is no block.
 * @returns the id of their conversation, if they have one
 */
export async function unblockPlayer(db: Database, blockerId: string, blockedId: string): Promise<string | undefined> {
  const [, [conversation]] = await Promise.all([
    db.run(sql`DELETE FROM ${blocks} WHERE ${blocks.blockerId} = ${blockerId} AND ${blocks.blockedId} = ${blockedId}`),
    db.all<{ id: string }>(sql`SELECT ${conversations.id} FROM ${conversations}
      WHERE ${conversations.pairKey} = ${pairKey(blockerId, blockedId)}`),
  ]);
  return conversation?.id;
}

/** A player that the viewer has blocked. */
interface BlockedPlayer {
  id: string;
  name: string;
  /** Milliseconds since 1970. */
  blockedAt: number;
}

/** Lists the players that a player has blocked: the first hundred by id. */
export async function listBlockedPlayers(db: Database, userId: string): Promise<BlockedPlayer[]> {
  const rows = await db.all<{ id: string; riotId: string | null; riotGameName: string | null; blockedAt: number }>(sql`
    SELECT ${blocks.blockedId} AS id, ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
      ${blocks.createdAt} AS blockedAt
    FROM ${blocks} LEFT JOIN ${profiles} ON ${profiles.userId} = ${blocks.blockedId}
    WHERE ${blocks.blockerId} = ${userId} ORDER BY ${blocks.blockedId} LIMIT 100`);
  return rows.map(({ id, riotId, riotGameName, blockedAt }) => ({
    id,
    name: displayName({ userId: id, riotGameName, riotId }),
    blockedAt,
  }));
}
