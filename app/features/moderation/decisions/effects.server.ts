import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions, reportCases, restrictions, upheldSuspensions, users } from "#db/schema";
import { bare, columnsOf, decisionActions } from "#db/sql";
import { DECISION_ACTIONS } from "#db/words/decision-actions";
import { deactivateAccount } from "~/features/account/shared/deactivation.server";
import { noteDeactivation, noteReturn } from "~/features/follow-ups/shared/note.server";
import { outdateLoneTeams } from "~/features/tournaments/shared/lone-teams.server";
import { askReturned } from "~/features/tournaments/shared/tournament-news.server";
import { recordAuditIf } from "~/platform/audit.server";
import { FOREVER } from "~/platform/lists/keyset.server";
import { closesCase } from "../rules";
import type { ModerationActor } from "../shared/log.server";
import { isTraceOf } from "../shared/upheld.server";
import { hasUndone, type MadeDecision } from "./made-decision.server";

const d = alias(decisions, "d");
const holder = alias(users, "holder");
const other = alias(reportCases, "other");
const scope = sql.identifier("scope");

/**
 * Builds the statements that carry out a decision; they follow the statement that stores it.
 * @param isMade true if the decision was stored
 * @returns statements by name; `suspension.deactivated` yields what `deactivateAccount` does
 */
export function buildEffects(db: Database, made: MadeDecision, isMade: SQL) {
  const { theCase, decision, now } = made;
  const { playerId } = theCase;
  const { action } = decision;
  return {
    limits: action === "limit" && playerId !== null ? applyLimits(db, playerId, now, isMade) : undefined,
    suspension:
      (action === "suspend" || action === "ban") && playerId !== null ? suspend(db, playerId, made, isMade) : undefined,
    handOver: action === "hand-over" ? setForAdmin(db, theCase.id, true, isMade) : undefined,
    undo: action === "undo" ? undo(db, made) : undefined,
  };
}

/** The actor named in a player's audit log, which doesn't reveal the particular moderator. */
const auditActorOf = (actor: ModerationActor) => ("userId" in actor ? "moderator" : "operator");

const suspend = (db: Database, playerId: string, { now, actor }: MadeDecision, isMade: SQL) => ({
  // First, because it finds the posts that are still open.
  followUps: noteDeactivation(db, playerId, now, isMade),
  deactivated: deactivateAccount(db, playerId, now, isMade),
  account: applySuspension(db, playerId, now, isMade),
  audit: recordAuditIf(db, isMade, { userId: playerId, actor: auditActorOf(actor), action: "suspended" }, now),
});

/** Builds the statements that reverse the effects of the undone decision. */
const undo = (db: Database, made: MadeDecision) => ({
  player: made.theCase.playerId === null ? undefined : undoAboutPlayer(db, made.theCase.playerId, made),
  forAdmin: setForAdmin(db, made.theCase.id, false, hasUndone(made, "hand-over")),
  reopen: reopenCase(db, made),
});

function undoAboutPlayer(db: Database, playerId: string, made: MadeDecision) {
  const { now, actor } = made;
  const isUnsuspended = hasUndone(made, "suspend", "ban");
  const isFree = sql`EXISTS (
    SELECT 1 FROM ${users} AS ${holder} WHERE ${holder.id} = ${playerId} AND ${holder.suspendedAt} IS NULL
  )`;
  return {
    limits: applyLimits(db, playerId, now, hasUndone(made, "limit")),
    account: applySuspension(db, playerId, now, isUnsuspended),
    reports: askReturned(db, playerId, now),
    teams: outdateLoneTeams(db, playerId, now, isUnsuspended),
    organisers: noteReturn(db, playerId, now, isUnsuspended),
    upheld: applyUpheld(db, playerId, now, isUnsuspended),
    audit: recordAuditIf(
      db,
      sql`${isUnsuspended} AND ${isFree}`,
      { userId: playerId, actor: auditActorOf(actor), action: "unsuspended" },
      now,
    ),
  };
}

/**
 * Builds the statement that reopens a case that was dismissed by mistake. It needs a new decision, unless another
 * decision settles it, or the thing has since been reported again. A hand-over settles nothing.
 */
const reopenCase = (db: Database, made: MadeDecision) =>
  db.run(sql`
    UPDATE ${reportCases} SET ${bare(reportCases.state)} = 'open', ${bare(reportCases.closedAt)} = NULL,
      ${bare(reportCases.dueAt)} = NULL
    WHERE ${reportCases.id} = ${made.theCase.id} AND ${reportCases.state} = 'closed' AND ${hasUndone(made, "dismiss")}
      AND NOT EXISTS (
        SELECT 1 FROM ${reportCases} AS ${other}
        WHERE ${other.kind} = ${made.theCase.kind} AND ${other.subjectId} = ${made.theCase.subjectId}
          AND ${other.state} = 'open'
      )
      AND NOT EXISTS (
        SELECT 1 FROM ${decisions} AS ${d}
        WHERE ${d.caseId} = ${made.theCase.id} AND ${d.undoneBy} IS NULL
          AND ${d.action} IN (${decisionActions(...DECISION_ACTIONS.filter(closesCase))})
      )`);

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
  return {
    end: db.run(sql`DELETE FROM ${upheldSuspensions} WHERE ${isOfPlayer} AND ${condition} AND NOT EXISTS (
      SELECT 1 FROM ${decisions} AS ${d} WHERE ${stands(playerId, now)} AND ${suspends}
    )`),
    update: db.run(sql`
      UPDATE ${upheldSuspensions}
      SET (${bare(upheldSuspensions.until)}, ${bare(upheldSuspensions.decisionId)}) = (
        SELECT longest.until, longest.id FROM (
          SELECT ${d.until} AS until, ${d.id} AS id, max(coalesce(${d.until}, ${FOREVER}))
          FROM ${decisions} AS ${d} WHERE ${stands(playerId, now)} AND ${suspends}
        ) AS longest
      )
      WHERE ${isOfPlayer} AND ${condition}`),
  };
}

/** Builds the statements that limit a player until the latest end that the standing decisions set for each scope. */
const applyLimits = (db: Database, playerId: string, now: Date, condition: SQL) => ({
  clear: db.run(sql`DELETE FROM ${restrictions} WHERE ${restrictions.userId} = ${playerId} AND ${condition}`),
  set: db.run(sql`
    INSERT INTO ${restrictions} ${columnsOf(restrictions, "userId", "scope", "until", "decisionId")}
    SELECT ${d.playerId}, ${scope}.value, ${d.until}, ${d.id}
    FROM ${decisions} AS ${d}, json_each(${d.scopes}) AS ${scope}
    WHERE ${stands(playerId, now)} AND ${d.action} = ${decisionActions("limit")} AND ${condition}
      AND EXISTS (SELECT 1 FROM ${users} AS ${holder} WHERE ${holder.id} = ${playerId})
    ON CONFLICT ${columnsOf(restrictions, "userId", "scope")} DO UPDATE SET
      ${bare(restrictions.until)} = excluded.${bare(restrictions.until)},
      ${bare(restrictions.decisionId)} = excluded.${bare(restrictions.decisionId)}
    WHERE excluded.${bare(restrictions.until)} > ${restrictions.until}`),
});
