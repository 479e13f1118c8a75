import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { joinRequests, lfgPosts, profiles } from "#db/schema";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import {
  type PlayerSummary,
  readSummary,
  type SummaryRow,
  summaryColumns,
} from "~/features/players/shared/summary.server";
import type { Role } from "~/game/roles";
import type { JoinState } from "./rules";

const aRow = alias(joinRequests, "a");
const p = alias(lfgPosts, "p");
const r = alias(joinRequests, "r");

/** The most requests that the author sees at once, oldest first; answering them makes room for later ones. */
const REQUESTS_SHOWN = 50;

/** A player's own request to join a post. */
export interface OwnRequest {
  state: JoinState;
  role: Role | null;
  note: string | null;
  /** Whether they were in the team when its session was over. */
  hasPlayed: boolean;
}

/** Finds the viewer's request to join a post; undefined if there is none. */
export async function findOwnRequest(db: Database, postId: string, userId: string): Promise<OwnRequest | undefined> {
  const [request] = await db.all<Omit<OwnRequest, "hasPlayed"> & { hasPlayed: number }>(sql`
    SELECT ${joinRequests.state},
      ${joinRequests.role}, ${joinRequests.note}, ${joinRequests.playedAt} IS NOT NULL AS hasPlayed FROM ${joinRequests}
    WHERE ${joinRequests.postId} = ${postId} AND ${joinRequests.userId} = ${userId}`);
  return request && { ...request, hasPlayed: Boolean(request.hasPlayed) };
}

/** A request that waits for the author's answer. */
export interface JoinRequest extends PlayerSummary {
  id: string;
  /** The role they would play. */
  role: Role | null;
  note: string | null;
}

/**
 * Lists the unanswered requests to join a post, for its author alone. Players with a block between them and the author
 * are left out.
 */
export async function listRequests(db: Database, postId: string, userId: string): Promise<JoinRequest[]> {
  const rows = await db.all<SummaryRow & { id: string; role: Role | null; note: string | null }>(sql`
    SELECT ${r.id} AS id, ${r.userId} AS userId, ${r.role} AS role, ${r.note} AS note, ${summaryColumns(userId)}
    FROM ${joinRequests} AS ${r} LEFT JOIN ${profiles} ON ${profiles.userId} = ${r.userId}
    WHERE ${r.postId} = ${postId} AND ${r.state} = 'pending'
      AND EXISTS (SELECT 1 FROM ${lfgPosts} AS ${p} WHERE ${p.id} = ${r.postId} AND ${p.userId} = ${userId})
      AND NOT ${blockBetween(sql`${r.userId}`, userId)}
    ORDER BY ${r.createdAt} LIMIT ${REQUESTS_SHOWN}`);
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

/**
 * Lists the team of a post, its author first; empty for anybody outside the team, and until somebody has joined. Across
 * a block, Riot ID and Discord tag are null: an author may have accepted the player in spite of the block.
 */
export async function listTeam(db: Database, postId: string, userId: string): Promise<TeamMember[]> {
  const isApart = blockBetween(sql`member.userId`, userId);
  const rows = await db.all<
    SummaryRow & {
      requestId: string | null;
      joinedAt: number;
      role: Role | null;
      discordTag: string | null;
      sharedRiotId: string | null;
    }
  >(sql`
    SELECT member.userId AS userId, member.requestId AS requestId, member.joinedAt AS joinedAt,
      iif(member.requestId IS NULL, ${profiles.preferredRole}, member.role) AS role,
      iif(${isApart}, NULL, ${profiles.discordTag}) AS discordTag,
      iif(${isApart}, NULL, ${profiles.riotId}) AS sharedRiotId,
      ${summaryColumns(userId)}
    FROM (
      SELECT ${p.userId} AS userId, NULL AS requestId, NULL AS role, 0 AS joinedAt FROM ${lfgPosts} AS ${p}
        WHERE ${p.id} = ${postId}
      UNION ALL
      SELECT ${r.userId}, ${r.id}, ${r.role}, ${r.decidedAt} FROM ${joinRequests} AS ${r}
      WHERE ${r.postId} = ${postId} AND ${r.state} = 'accepted'
    ) AS member
    LEFT JOIN ${profiles} ON ${profiles.userId} = member.userId
    WHERE EXISTS (
      SELECT 1 FROM ${joinRequests} AS ${aRow} JOIN ${lfgPosts} AS ${p} ON ${p.id} = ${aRow.postId}
      WHERE ${aRow.postId} = ${postId} AND ${aRow.state} = 'accepted' AND (${aRow.userId} = ${userId}
        OR ${p.userId} = ${userId})
    )`);
  return rows
    .sort((a, b) => a.joinedAt - b.joinedAt)
    .map((row) => ({
      ...readSummary(row),
      role: row.role,
      riotId: row.sharedRiotId,
      discordTag: row.discordTag,
      requestId: row.requestId,
    }));
}
