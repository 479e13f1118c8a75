import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { blockBetween } from "~/features/messages/shared/blocks.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import type { Role } from "~/game/roles";
import type { JoinState } from "./rules";

/** Requests that the author sees at once, the oldest first; answering them makes room for the next. */
const REQUESTS_SHOWN = 50;

/** What a player has asked a post. */
export interface OwnRequest {
  state: JoinState;
  role: Role | null;
  note: string | null;
  /** Whether they were in the team when its session was over. */
  hasPlayed: boolean;
}

/** What the viewer has asked a post; undefined when that is nothing. */
export async function findOwnRequest(db: Database, postId: string, userId: string): Promise<OwnRequest | undefined> {
  const [request] = await db.all<Omit<OwnRequest, "hasPlayed"> & { hasPlayed: number }>(sql`
    SELECT state, role, note, played_at IS NOT NULL AS hasPlayed FROM join_requests
    WHERE post_id = ${postId} AND user_id = ${userId}`);
  return request && { ...request, hasPlayed: Boolean(request.hasPlayed) };
}

/** A request that waits for the author's answer. */
export interface JoinRequest extends PlayerSummary {
  id: string;
  /** The role they would play. */
  role: Role | null;
  note: string | null;
}

/** Who asks to join a post, for its author alone; players with whom there is a block are left out. */
export async function listRequests(db: Database, postId: string, userId: string): Promise<JoinRequest[]> {
  const rows = await db.all<SummaryRow & { id: string; role: Role | null; note: string | null }>(sql`
    SELECT r.id AS id, r.user_id AS userId, r.role AS role, r.note AS note, ${summaryColumns}
    FROM join_requests AS r LEFT JOIN profiles ON profiles.user_id = r.user_id
    WHERE r.post_id = ${postId} AND r.state = 'pending'
      AND EXISTS (SELECT 1 FROM lfg_posts AS p WHERE p.id = r.post_id AND p.user_id = ${userId})
      AND NOT ${blockBetween(sql`r.user_id`, userId)}
    ORDER BY r.created_at LIMIT ${REQUESTS_SHOWN}`);
  return rows.map((row) => ({ ...readSummary(row), id: row.id, role: row.role, note: row.note }));
}

/** A player of a team, as its members see each other. */
export interface TeamMember extends PlayerSummary {
  /** The role they asked for; the author's is the one they usually play. */
  role: Role | null;
  riotId: string | null;
  discordTag: string | null;
  /** The accepted request; null for the author. */
  requestId: string | null;
}

/** The team of a post, its author first; empty for everyone who is not in it, and while nobody has joined. */
export async function listTeam(db: Database, postId: string, userId: string): Promise<TeamMember[]> {
  const rows = await db.all<
    SummaryRow & { requestId: string | null; joinedAt: number; role: Role | null; discordTag: string | null }
  >(sql`
    SELECT member.userId AS userId, member.requestId AS requestId, member.joinedAt AS joinedAt,
      iif(member.requestId IS NULL, profiles.preferred_role, member.role) AS role, profiles.discord_tag AS discordTag,
      ${summaryColumns}
    FROM (
      SELECT p.user_id AS userId, NULL AS requestId, NULL AS role, 0 AS joinedAt FROM lfg_posts AS p WHERE p.id = ${postId}
      UNION ALL
      SELECT r.user_id, r.id, r.role, r.decided_at FROM join_requests AS r
      WHERE r.post_id = ${postId} AND r.state = 'accepted'
    ) AS member
    LEFT JOIN profiles ON profiles.user_id = member.userId
    WHERE EXISTS (
      SELECT 1 FROM join_requests AS a JOIN lfg_posts AS p ON p.id = a.post_id
      WHERE a.post_id = ${postId} AND a.state = 'accepted' AND (a.user_id = ${userId} OR p.user_id = ${userId})
    )`);
  return rows
    .sort((a, b) => a.joinedAt - b.joinedAt)
    .map((row) => ({
      ...readSummary(row),
      role: row.role,
      riotId: row.riotId,
      discordTag: row.discordTag,
      requestId: row.requestId,
    }));
}
