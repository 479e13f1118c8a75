import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions, notifications, reports, users } from "#db/schema";
import { bare, decisionActions } from "#db/sql";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import type { RequestContext } from "~/platform/context";
import { emailDate } from "~/platform/dates/dates";
import { type Enqueuing, enqueueEmailTo } from "~/platform/email/outbox.server";
import type { DecidedCase, NewDecision } from "../decisions/decision";
import { hidesAgain } from "../decisions/hiding-effects.server";
import { hasUndone, type MadeDecision } from "../decisions/made-decision.server";
import { APPEALABLE_ACTIONS, isTold, quoteOf } from "../shared/statement";
import { decisionEmail, reportAnsweredEmail, type Undone, undoneEmail } from "./emails";

const earlier = alias(decisions, "earlier");

/**
 * Builds the statements that tell a player by email that a decision about them was undone. They belong after the
 * statements that mark it as undone and reinstate others, in the same transaction. No email is sent if a restoration is
 * undone but nothing is hidden again, because appeals were granted.
 */
export function tellOfUndoing(
  context: Enqueuing & Pick<RequestContext, "origin">,
  made: Pick<MadeDecision, "id" | "theCase" | "decision">,
) {
  const { kind, playerId } = made.theCase;
  const meanings: [Undone, SQL][] = [
    ["suspension", hasUndone(made, "suspend", "ban")],
    ["restoration", hidesAgain(made)],
    ["other", hasUndone(made, "hide", "warn", "limit")],
  ];
  return meanings.map(([meaning, isMeant]) =>
    enqueueEmailTo(
      context,
      sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${isMeant}`,
      undoneEmail(meaning, kind, made.decision.reason, context.origin),
    ),
  );
}

/**
 * Builds the statements that tell everyone involved of a decision; they belong after its INSERT in the same
 * transaction. The player gets a statement of reasons by email. Reporters are told once per answer: players by a
 * notification, visitors by an email. An answer that no longer holds is taken out of unread notifications.
 * @param id the decision's id
 * @param condition true, when the statements run, if the decision was made
 * @returns statements by name; for `tellUnread`, `reporters` yields the notified players, and `outdated.forgotten`
 *   those who have lost a notification
 */
export function tellOfDecision(
  context: Enqueuing & Pick<RequestContext, "origin">,
  id: string,
  theCase: DecidedCase,
  { action, rule, reason, scopes, until }: NewDecision,
  condition: SQL,
) {
  const { db } = context;
  const { id: caseId, kind, playerId, isFlagged, reportCount, snapshot, picture, later } = theCase;
  const hasActed = action !== "dismiss";
  const answer = { kind, hasActed };
  const statement = {
    ...{ kind, action, rule, reason, isFlagged, reportCount },
    scopes: scopes ?? null,
    until: until ? emailDate(until, "UTC") : null,
    quote: quoteOf(kind, snapshot, { picture, later }),
  };
  const answersReports = action === "dismiss" || (isTold(action) && action !== "restore");
  // A case may get several decisions. Each reporter is told an answer once, unless it was undone.
  const isNews = sql`${condition} AND NOT EXISTS (
    SELECT 1 FROM ${decisions} AS ${earlier} WHERE ${earlier.caseId} = ${caseId} AND ${earlier.id} <> ${id}
      AND ${earlier.undoneBy} IS NULL AND ${earlier.createdAt} >= ${reports.createdAt}
      AND ${earlier.action} IN (${hasActed ? decisionActions(...APPEALABLE_ACTIONS) : decisionActions("dismiss")})
  )`;
  return {
    outdated: action === "undo" || action === "restore" ? forgetAnswer(db, { id, theCase }) : undefined,
    player:
      playerId !== null && isTold(action)
        ? enqueueEmailTo(
            context,
            sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${condition}`,
            decisionEmail(statement, context.origin),
          )
        : undefined,
    reporters: answersReports
      ? notify(db, {
          kind: "report-answered",
          subject: subjectSql("reports", sql`to_tell.user_id`),
          // A case that gets another answer counts once.
          data: sql`${JSON.stringify({ ...answer, cases: { [caseId]: answer } })}`,
          isMerged: true,
          recipients: sql`SELECT ${reports.reporterId} AS user_id FROM ${reports}
            WHERE ${reports.caseId} = ${caseId} AND ${reports.reporterId} IS NOT NULL AND ${isNews}`,
          now: context.now.getTime(),
        })
      : undefined,
    visitors: answersReports
      ? enqueueEmailTo(
          context,
          sql`SELECT ${reports.reporterEmail} AS email FROM ${reports}
            WHERE ${reports.caseId} = ${caseId} AND ${reports.reporterEmail} IS NOT NULL AND ${isNews}`,
          reportAnsweredEmail(kind, hasActed),
        )
      : undefined,
  };
}

/**
 * Builds the statements that take the answer of a case out of its reporters' unread notifications, if the answering
 * decision was undone and no other action stands.
 */
function forgetAnswer(db: Database, { id, theCase }: Pick<MadeDecision, "id" | "theCase">) {
  const isUnread = sql`${notifications.userId} IN (
      SELECT ${reports.reporterId} FROM ${reports} WHERE ${reports.caseId} = ${theCase.id}
    ) AND ${notifications.subject} = ${subjectSql("reports", sql`${notifications.userId}`)}
      AND ${notifications.readAt} IS NULL`;
  const answer = `$.cases."${theCase.id}"`;
  return {
    cases: db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.data)} = json_remove(${notifications.data}, ${answer})
      WHERE ${isUnread} AND ${hasUndone({ id, theCase }, "dismiss", ...APPEALABLE_ACTIONS)} AND NOT EXISTS (
        SELECT 1 FROM ${decisions} AS ${earlier} WHERE ${earlier.caseId} = ${theCase.id}
          AND ${earlier.undoneBy} IS NULL AND ${earlier.action} IN (${decisionActions(...APPEALABLE_ACTIONS)})
      )`),
    forgotten: db.all<{ userId: string }>(sql`
      DELETE FROM ${notifications} WHERE ${isUnread} AND ${notifications.data} -> '$.cases' = '{}'
      RETURNING ${notifications.userId} AS userId`),
  };
}
