import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { decisions, reports, type Snapshot, users } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import { notify } from "~/features/notifications/shared/notify.server";
import type { RequestContext } from "~/platform/context";
import { emailDate } from "~/platform/dates/dates";
import { enqueueEmailTo } from "~/platform/email/outbox.server";
import { decisionEmail, reportAnsweredEmail } from "./emails";
import { isTold, quoteOf } from "./words";

const earlier = alias(decisions, "earlier");

/** A decision that its player and its reporters are to be told of. */
export interface MadeDecision {
  id: string;
  caseId: string;
  kind: ReportKind;
  /** Null if the account was gone already. */
  playerId: string | null;
  action: DecisionAction;
  rule: string | null;
  reason: string;
  scopes: readonly RestrictionScope[] | null;
  until: Date | null;
  isFlagged: boolean;
  /** The thing as it was reported. */
  snapshot: Snapshot;
}

/** The decisions by which moderators act on a report, and that by which they don't. */
const ACTED = sql.raw("('hide', 'warn', 'limit', 'suspend', 'ban')");
const NOT_ACTED = sql.raw("('dismiss')");

/** Says in SQL whether moderators acted on a case: 1 or 0 by its latest decision that says so, else NULL. */
export const hasActedOn = (caseId: SQL): SQL => sql`(
  SELECT ${earlier.action} <> 'dismiss' FROM ${decisions} AS ${earlier}
  WHERE ${earlier.caseId} = ${caseId} AND (${earlier.action} IN ${ACTED} OR ${earlier.action} IN ${NOT_ACTED})
  ORDER BY ${earlier.id} DESC LIMIT 1
)`;

/**
 * Builds the statements that tell everyone concerned of a decision; they belong after its INSERT in the same
 * transaction. Its player gets the statement of reasons by e-mail; players who reported the case get a notification,
 * and visitors who did so an e-mail, once for each answer.
 * @param condition holds, when the statements run, if the decision was made
 * @returns statements by name; `reporters` yields the notified players, for `tellUnread`
 */
export function tellOfDecision(
  { db, now, origin }: Pick<RequestContext, "db" | "now" | "origin">,
  decision: MadeDecision,
  condition: SQL,
) {
  const { id, caseId, kind, playerId, action, until, snapshot } = decision;
  const hasActed = action !== "dismiss";
  const statement = { ...decision, until: until && emailDate(until, "UTC"), quote: quoteOf(kind, snapshot) };
  const answersReports = action === "dismiss" || (isTold(action) && action !== "restore");
  // Several decisions about one case may follow each other; reporters hear each answer once.
  const isNews = sql`${condition} AND NOT EXISTS (
    SELECT 1 FROM ${decisions} AS ${earlier} WHERE ${earlier.caseId} = ${caseId} AND ${earlier.id} <> ${id}
      AND ${earlier.action} IN ${hasActed ? ACTED : NOT_ACTED}
  )`;
  return {
    player:
      playerId !== null && isTold(action)
        ? enqueueEmailTo(
            db,
            sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${condition}`,
            decisionEmail(statement, origin),
            now,
          )
        : undefined,
    reporters: answersReports
      ? notify(db, {
          kind: "report-answered",
          subject: sql`'reports:' || to_tell.user_id`,
          data: sql`json_object('kind', ${kind}, 'hasActed', json(${String(hasActed)}))`,
          recipients: sql`SELECT ${reports.reporterId} AS user_id FROM ${reports}
            WHERE ${reports.caseId} = ${caseId} AND ${reports.reporterId} IS NOT NULL AND ${isNews}`,
          now: now.getTime(),
        })
      : undefined,
    visitors: answersReports
      ? enqueueEmailTo(
          db,
          sql`SELECT ${reports.reporterEmail} AS email FROM ${reports}
            WHERE ${reports.caseId} = ${caseId} AND ${reports.reporterEmail} IS NOT NULL AND ${isNews}`,
          reportAnsweredEmail(kind, hasActed),
          now,
        )
      : undefined,
  };
}
