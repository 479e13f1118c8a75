import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions, reportCases, restrictions, upheldSuspensions, users } from "#db/schema";
import { bare, columnsOf, decisionActions } from "#db/sql";
import type { Answering, Statement } from "#db/statements";
import { DECISION_ACTIONS } from "#db/words/decision-actions";
import { deactivateAccount } from "~/features/account/shared/deactivation.server";
import { outdateLoneTeams } from "~/features/tournaments/shared/lone-teams.server";
import { recordAuditIf } from "~/platform/audit.server";
import { FOREVER } from "~/platform/lists/keyset.server";
import { closesCase } from "../rules";
import { noteDeactivation, noteReturn } from "../shared/follow-ups.server";
import type { ModerationActor } from "../shared/log.server";
import { isTraceOf } from "../shared/upheld.server";
import { hasUndone, type MadeDecision } from "./made-decision.server";

const d = alias(decisions, "d");
const holder = alias(users, "holder");
const other = alias(reportCases, "other");
const scope = sql.identifier("scope");

/** The statements that carry out a decision. */
type Effects = {
  /** Yields the other players who are notified. */
  notified: Answering<{ userId: string }[]> | undefined;
  /** Yields the sessions that end. */
  endedSessions: Answering<{ id: string }[]> | undefined;
  rest: readonly Statement[];
  /** Yields the posts that close. It comes last, because `rest` still finds them open. */
  closedPosts: Answering<{ id: string }[]> | undefined;
};

const only = (...rest: Statement[]): Effects => ({
  notified: undefined,
  endedSessions: undefined,
  rest,
  closedPosts: undefined,
});

/**
 * Builds the statements that carry out a decision; they follow the statement that stores it.
 * @param isMade true if the decision was stored
 */
export function buildEffects(db: Database, made: MadeDecision, isMade: SQL): Effects {
  const { theCase, decision, now } = made;
  const { playerId } = theCase;
  switch (decision.action) {
    case "limit":
      return only(...(playerId === null ? [] : applyLimits(db, playerId, now, isMade)));
    case "suspend":
    case "ban":
      return playerId === null ? only() : suspend(db, playerId, made, isMade);
    case "hand-over":
      return only(setForAdmin(db, theCase.id, true, isMade));
    case "undo":
      return only(...undo(db, made));
    default:
      return only();
  }
}

/** The actor named in a player's audit log, which doesn't reveal the particular moderator. */
const auditActorOf = (actor: ModerationActor) => ("userId" in actor ? "moderator" : "operator");

function suspend(db: Database, playerId: string, { now, actor }: MadeDecision, isMade: SQL): Effects {
  const { sessions, requests, posts } = deactivateAccount(db, playerId, now, isMade);
  return {
    notified: requests.notified,
    endedSessions: sessions.ended,
    rest: [
      noteDeactivation(db, playerId, now, isMade),
      applySuspension(db, playerId, now, isMade),
      sessions.devices,
      sessions.signIns,
      sessions.browsers,
      requests.lapse,
      requests.news,
      recordAuditIf(db, isMade, { userId: playerId, actor: auditActorOf(actor), action: "suspended" }, now),
    ],
    closedPosts: posts,
  };
}

/** Builds the statements that reverse the effects of the undone decision. */
function undo(db: Database, made: MadeDecision): Statement[] {
  const { theCase, now, actor } = made;
  const { playerId } = theCase;
  const aboutPlayer =
    playerId === null
      ? []
      : [
          ...applyLimits(db, playerId, now, hasUndone(made, "limit")),
          applySuspension(db, playerId, now, hasUndone(made, "suspend", "ban")),
          outdateLoneTeams(db, playerId, hasUndone(made, "suspend", "ban")),
          noteReturn(db, playerId, now, hasUndone(made, "suspend", "ban")),
          ...applyUpheld(db, playerId, now, hasUndone(made, "suspend", "ban")),
          recordAuditIf(
            db,
            sql`${hasUndone(made, "suspend", "ban")} AND EXISTS (
          SELECT 1 FROM ${users} AS ${holder} WHERE ${holder.id} = ${playerId} AND ${holder.suspendedAt} IS NULL
        )`,
            { userId: playerId, actor: auditActorOf(actor), action: "unsuspended" },
            now,
          ),
        ];
  return [
    ...aboutPlayer,
    setForAdmin(db, theCase.id, false, hasUndone(made, "hand-over")),
    // A case that was dismissed by mistake needs a new decision, unless another decision settles it, or the thing has
    // since been reported again. A hand-over settles nothing.
    db.run(sql`
      UPDATE ${reportCases} SET ${bare(reportCases.state)} = 'open', ${bare(reportCases.closedAt)} = NULL,
        ${bare(reportCases.dueAt)} = NULL
      WHERE ${reportCases.id} = ${theCase.id} AND ${reportCases.state} = 'closed' AND ${hasUndone(made, "dismiss")}
        AND NOT EXISTS (
          SELECT 1 FROM ${reportCases} AS ${other}
          WHERE ${other.kind} = ${theCase.kind} AND ${other.subjectId} = ${theCase.subjectId}
            AND ${other.state} = 'open'
        )
        AND NOT EXISTS (
          SELECT 1 FROM ${decisions} AS ${d}
          WHERE ${d.caseId} = ${theCase.id} AND ${d.undoneBy} IS NULL
            AND ${d.action} IN (${decisionActions(...DECISION_ACTIONS.filter(closesCase))})
        )`),
  ];
}

const setForAdmin = (db: Database, caseId: string, isForAdmin: boolean, condition: SQL) =>
  db.run(sql`
    UPDATE ${reportCases} SET ${bare(reportCases.isForAdmin)} = ${isForAdmin ? 1 : 0},
      ${bare(reportCases.assignedTo)} = NULL
    WHERE ${reportCases.id} = ${caseId} AND ${condition}`);

/** True for the decisions `d` about a player that still stand at `now`. */
const stands = (playerId: SQL | string, now: Date): SQL => sql`(${d.playerId} = ${playerId} AND ${d.undoneBy} IS NULL
  AND (${d.until} IS NULL OR ${d.until} > ${now.getTime()}))`;

/**
 * Builds the statement that suspends a player for as long as the longest standing decision says, or lifts the
 * suspension if no decision stands.
 */
export const applySuspension = (db: Database, playerId: string, now: Date, condition: SQL) =>
  db.run(sql`
    UPDATE ${users}
    SET (${bare(users.suspendedAt)}, ${bare(users.suspendedUntil)}, ${bare(users.suspendedReason)}) = (
      SELECT longest.since, longest.until, longest.reason FROM (
        SELECT ${d.createdAt} AS since, ${d.until} AS until, ${d.reason} AS reason,
          max(coalesce(${d.until}, ${FOREVER}))
        FROM ${decisions} AS ${d}
        WHERE ${stands(playerId, now)} AND ${d.action} IN (${decisionActions("suspend", "ban")})
      ) AS longest
    )
    WHERE ${users.id} = ${playerId} AND ${condition}`);

/**
 * Builds the statements that uphold an erased account's suspension for as long as the longest standing decision says,
 * or delete its traces if no decision stands.
 */
function applyUpheld(db: Database, playerId: string, now: Date, condition: SQL) {
  const suspends = sql`${d.action} IN (${decisionActions("suspend", "ban")})`;
  const isOfPlayer = isTraceOf(playerId);
  return [
    db.run(sql`DELETE FROM ${upheldSuspensions} WHERE ${isOfPlayer} AND ${condition} AND NOT EXISTS (
      SELECT 1 FROM ${decisions} AS ${d} WHERE ${stands(playerId, now)} AND ${suspends}
    )`),
    db.run(sql`
      UPDATE ${upheldSuspensions}
      SET (${bare(upheldSuspensions.until)}, ${bare(upheldSuspensions.decisionId)}) = (
        SELECT longest.until, longest.id FROM (
          SELECT ${d.until} AS until, ${d.id} AS id, max(coalesce(${d.until}, ${FOREVER}))
          FROM ${decisions} AS ${d} WHERE ${stands(playerId, now)} AND ${suspends}
        ) AS longest
      )
      WHERE ${isOfPlayer} AND ${condition}`),
  ];
}

/** Builds the statements that limit a player until the latest end that the standing decisions set for each scope. */
const applyLimits = (db: Database, playerId: string, now: Date, condition: SQL) => [
  db.run(sql`DELETE FROM ${restrictions} WHERE ${restrictions.userId} = ${playerId} AND ${condition}`),
  db.run(sql`
    INSERT INTO ${restrictions} ${columnsOf(restrictions, "userId", "scope", "until", "decisionId")}
    SELECT ${d.playerId}, ${scope}.value, ${d.until}, ${d.id}
    FROM ${decisions} AS ${d}, json_each(${d.scopes}) AS ${scope}
    WHERE ${stands(playerId, now)} AND ${d.action} = ${decisionActions("limit")} AND ${condition}
      AND EXISTS (SELECT 1 FROM ${users} AS ${holder} WHERE ${holder.id} = ${playerId})
    ON CONFLICT ${columnsOf(restrictions, "userId", "scope")} DO UPDATE SET
      ${bare(restrictions.until)} = excluded.${bare(restrictions.until)},
      ${bare(restrictions.decisionId)} = excluded.${bare(restrictions.decisionId)}
    WHERE excluded.${bare(restrictions.until)} > ${restrictions.until}`),
];
