import { and, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { blocks, profiles, users } from "#db/schema";
import { displayName } from "~/features/players/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { type Cursor, type Page, pageOf } from "~/platform/lists/keyset";
import { planWalk } from "~/platform/lists/keyset.server";
import { hasBlocked } from "./shared/blocks.server";

/** The blocks between a viewer and another player. */
interface BlockState {
  /** Whether the viewer has blocked the other player. */
  hasBlocked: boolean;
  /** Whether the other player has blocked the viewer. */
  isBlocked: boolean;
}

/**
 * Finds a player to block or unblock.
 * @returns undefined if there is no such account, or if it is the viewer's own
 */
export async function findOtherPlayer(
  db: Database,
  playerId: string,
  viewerId: string,
): Promise<(BlockState & { id: string; name: string }) | undefined> {
  const [row] = await db.all<{ id: string; name: string; hasBlocked: number; isBlocked: number }>(sql`
    SELECT ${users.id}, ${nameOf(sql`${users.id}`)} AS name, ${hasBlocked(viewerId, playerId)} AS hasBlocked,
      ${hasBlocked(playerId, viewerId)} AS isBlocked
    FROM ${users} WHERE ${users.id} = ${playerId} AND ${users.id} <> ${viewerId}`);
  return row && { ...row, hasBlocked: Boolean(row.hasBlocked), isBlocked: Boolean(row.isBlocked) };
}

/** A player blocked by the viewer. */
interface BlockedPlayer {
  id: string;
  name: string;
  /** Milliseconds since 1970. */
  blockedAt: number;
}

/** Maximum number of blocked players on a page. */
const BLOCKED_PAGE = 50;

/** Lists a page of the players blocked by a player, the latest first. */
export async function listBlockedPlayers(
  db: Database,
  userId: string,
  cursor: Cursor | null,
): Promise<Page<BlockedPlayer>> {
  const walk = planWalk(cursor, { key: blocks.createdAt, id: blocks.blockedId });
  const rows = await db.all<{ id: string; riotId: string | null; riotGameName: string | null; blockedAt: number }>(sql`
    SELECT ${blocks.blockedId} AS id, ${profiles.riotId} AS riotId, ${profiles.riotGameName} AS riotGameName,
      ${blocks.createdAt} AS blockedAt
    FROM ${blocks} LEFT JOIN ${profiles} ON ${profiles.userId} = ${blocks.blockedId}
    WHERE ${and(sql`${blocks.blockerId} = ${userId}`, walk.from)}
    ORDER BY ${sql.join(walk.orderBy, sql`, `)} LIMIT ${BLOCKED_PAGE + 1}`);
  const found = rows.map(({ id, riotId, riotGameName, blockedAt }) => ({
    id,
    name: displayName({ userId: id, riotGameName, riotId }),
    blockedAt,
  }));
  return pageOf({ found, end: null }, BLOCKED_PAGE, cursor, ({ blockedAt, id }) => ({ key: blockedAt, id }));
}
