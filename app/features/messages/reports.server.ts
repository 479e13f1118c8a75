import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, messages, reports } from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { ReportReason } from "#db/words/report-reasons";
import { ownConversation } from "./queries.server";

const m = alias(messages, "m");
const me = alias(conversationMembers, "me");
const them = alias(conversationMembers, "them");

/** Messages that the form of a report offers, and among how many they are looked for. */
const REPORTABLE = 20;
const REPORTABLE_STRETCH = 100;
/** What is read of each: more than its preview shows. */
const PREVIEW_READ = 400;

/** A message of the other player's, as the form of a report offers it. */
export interface ReportableMessage {
  id: string;
  /** Its beginning. */
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/**
 * The latest messages that the viewer has received in a conversation of theirs, newest first.
 * @param from begin with this one instead; nothing is found when it isn't there, or the viewer's own
 */
export async function listReportableMessages(
  db: Database,
  conversationId: string,
  userId: string,
  from: string | null,
): Promise<ReportableMessage[]> {
  const last = sql`(SELECT ${messages.seq} FROM ${messages} WHERE ${messages.id} = ${from}
    AND ${messages.conversationId} = ${conversationId})`;
  const rows = await db.all<ReportableMessage & { senderId: string | null }>(sql`
    SELECT ${messages.id}, ${messages.senderId} AS senderId, substr(${messages.content},
      1, ${PREVIEW_READ}) AS content, ${messages.createdAt} AS createdAt FROM ${messages}
    WHERE ${messages.conversationId} = ${conversationId} AND ${ownConversation(conversationId, userId)}
      ${from === null ? sql`` : sql`AND ${messages.seq} <= ${last}`}
    ORDER BY ${messages.seq} DESC LIMIT ${REPORTABLE_STRETCH}`);
  const received = rows.filter(({ senderId }) => senderId !== null && senderId !== userId);
  if (from !== null && received[0]?.id !== from) return [];
  return received.slice(0, REPORTABLE).map(({ senderId: _, ...message }) => message);
}

/** A complaint, as the form holds it. */
interface Report {
  id: string;
  reporterId: string;
  /** Whom, within a conversation that both are in. */
  reportedId: string;
  conversationId: string;
  /** One message of theirs there, or the player as such. */
  messageId: string | null;
  reason: ReportReason;
  details: string | null;
}

/**
 * Keeps a report for moderators, with the message as it is now. The same form sent twice is one report.
 * @returns false when there is no such player or message in a conversation of the reporter's
 */
export async function reportPlayer(db: Database, report: Report, now: number): Promise<boolean> {
  const { id, reporterId, reportedId, conversationId, messageId, reason, details } = report;
  const { kept } = await transact(db, {
    keep: db.run(sql`
      INSERT INTO ${reports} ${columnsOf(
        reports,
        "id",
        "reporterId",
        "reportedId",
        "messageId",
        "reason",
        "details",
        "quotedContent",
        "createdAt",
      )}
      SELECT ${id}, ${reporterId}, ${reportedId}, ${m.id}, ${reason}, ${details}, ${m.content}, ${now}
      FROM ${conversationMembers} AS ${me}
      JOIN ${conversationMembers} AS ${them}
        ON ${them.conversationId} = ${me.conversationId} AND ${them.userId} = ${reportedId}
          AND ${reportedId} <> ${reporterId}
      LEFT JOIN ${messages} AS ${m}
        ON ${m.id} = ${messageId} AND ${m.conversationId} = ${me.conversationId} AND ${m.senderId} = ${reportedId}
      WHERE ${me.conversationId} = ${conversationId} AND ${me.userId} = ${reporterId}
        AND (${messageId} IS NULL OR ${m.id} IS NOT NULL)
      ON CONFLICT ${columnsOf(reports, "id")} DO NOTHING`),
    kept: db.all<{ id: string }>(sql`SELECT ${reports.id} FROM ${reports} WHERE ${reports.id} = ${id}
      AND ${reports.reporterId} = ${reporterId}`),
  });
  return kept.length > 0;
}
