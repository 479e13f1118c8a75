import { type SQL, sql } from "drizzle-orm";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { alias } from "drizzle-orm/sqlite-core";
import { isShown } from "../../app/features/feedback/shared/visible-reviews.server";
import { countUnreadAfter } from "../../app/features/messages/shared/unread-messages.server";
import * as schema from "../../db/schema";

const c = alias(schema.conversations, "c");
const f = alias(schema.userFeedback, "f");
const m = alias(schema.messages, "m");
const member = alias(schema.conversationMembers, "member");
const p = alias(schema.lfgPosts, "p");
const player = alias(schema.profiles, "player");
const r = alias(schema.joinRequests, "r");
const report = alias(schema.reports, "report");
const reported = alias(schema.reportCases, "reported");
const t = alias(schema.tournaments, "t");
const team = alias(schema.tournamentTeams, "team");

/** Rows whose stored figures differ from a recount or that break a rule between tables: the SQL after `FROM`. */
const BROKEN: Record<string, SQL> = {
  "the number of a conversation's last message": sql`${schema.conversations} AS ${c} WHERE ${c.lastSeq} <>
    (SELECT coalesce(max(${m.seq}), 0) FROM ${schema.messages} AS ${m} WHERE ${m.conversationId} = ${c.id})`,
  "the number of unread messages": sql`${schema.conversationMembers} AS ${member} WHERE ${member.unreadCount} <>
    ${countUnreadAfter(sql`${member.conversationId}`, sql`${member.userId}`, sql`${member.lastReadSeq}`)}`,
  "the number of a post's taken spots": sql`${schema.lfgPosts} AS ${p} WHERE ${p.takenSpots} <>
    (SELECT count(*) FROM ${schema.joinRequests} AS ${r} WHERE ${r.postId} = ${p.id} AND ${r.state} = 'accepted')`,
  "the size of a post's team": sql`${schema.lfgPosts} AS ${p} WHERE ${p.takenSpots} > ${p.neededPlayers}`,
  "a player's score": sql`${schema.profiles} AS ${player} WHERE (${player.totalRatings}, ${player.feedbackScore}) IS NOT
    (SELECT count(*), avg(${f.rating}) FROM ${schema.userFeedback} AS ${f} WHERE ${f.reviewedId} = ${player.userId}
      AND ${isShown})`,
  "the number of a case's reports": sql`${schema.reportCases} AS ${reported} WHERE ${reported.reportCount} <>
    (SELECT count(*) FROM ${schema.reports} AS ${report} WHERE ${report.caseId} = ${reported.id})`,
  "the number of a tournament's teams": sql`${schema.tournaments} AS ${t} WHERE ${t.maxParticipants} <
    (SELECT count(*) FROM ${schema.tournamentTeams} AS ${team} WHERE ${team.tournamentId} = ${t.id}
      AND ${team.state} <> 'waiting')`,
};

/**
 * Looks for rows that break a constraint of the schema or a rule between tables.
 * @returns a line for each constraint and rule that is broken
 */
export async function findBroken(db: LibSQLDatabase<typeof schema>): Promise<string[]> {
  const lines: string[] = [];
  for (const row of await db.all<object>(sql`PRAGMA foreign_key_check`))
    lines.push(`foreign key: ${JSON.stringify(row)}`);
  // Also checks CHECK and NOT NULL constraints.
  for (const row of await db.all<{ integrity_check: string }>(sql`PRAGMA integrity_check`)) {
    if (row.integrity_check !== "ok") lines.push(row.integrity_check);
  }
  for (const [rule, rows] of Object.entries(BROKEN)) {
    const { broken } = (await db.get<{ broken: number }>(sql`SELECT count(*) AS broken FROM ${rows}`)) ?? { broken: 0 };
    if (broken > 0) lines.push(`${rule}: ${broken} rows`);
  }
  return lines;
}
