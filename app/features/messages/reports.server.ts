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

/** The most messages that the report form offers, and the number of messages that are searched for them. */
const REPORTABLE = 20;
const REPORTABLE_STRETCH = 100;
/** The number of characters that are read of each message: more than its preview shows. */
const PREVIEW_READ = 400;

/** A message by the other player, as the report form offers it. */
export interface ReportableMessage {
  id: string;
  /** The beginning of its text. */
  content: string;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/**
 * Lists the latest messages that the viewer has received in one of their conversations, newest first.
 * @param from the message to begin with, instead of the latest; if it doesn't exist or is the viewer's own, the list is
 * empty
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

/** A report, as the form submits it. */
interface Report {
  id: string;
  reporterId: string;
  /** The reported player, who is in the same conversation. */
  reportedId: string;
  conversationId: string;
  /** The reported message in that conversation; null to report the player in general. */
  messageId: string | null;
  reason: ReportReason;
  details: string | null;
}

/**
 * Stores a report for moderators, with a copy of the message as it is now. Submitting the same form twice stores one
 * report.
 * @returns false if there is no such player or message in a conversation of the reporter's
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
