import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions } from "#db/schema";
import { bare, decisionActions } from "#db/sql";
import { hideSubject, restoreSubject } from "../shared/hiding.server";
import { hasUndone, type MadeDecision } from "./made-decision.server";

const d = alias(decisions, "d");
const undone = alias(decisions, "undone");

/**
 * Builds the statements that hide or restore the subject of a case, as a decision says. Restoring a subject ends the
 * earlier decisions to hide it; undoing the restoration reinstates them. If several decisions hide a subject, undoing
 * one of them leaves it hidden.
 * @param isMade holds if the decision was stored
 */
export function buildHiding(db: Database, made: MadeDecision, isMade: SQL) {
  const { id, theCase, decision, now } = made;
  const { playerId } = theCase;
  const subject = { kind: theCase.kind, id: theCase.subjectId };
  const isOfSubject = sql`(${decisions.playerId} IS ${playerId} AND ${decisions.kind} = ${subject.kind}
    AND ${decisions.subjectId} = ${subject.id} AND ${decisions.action} = ${decisionActions("hide")})`;
  const isStillHidden = sql`EXISTS (
    SELECT 1 FROM ${decisions} AS ${d}
    WHERE ${d.playerId} IS ${playerId} AND ${d.kind} = ${subject.kind} AND ${d.subjectId} = ${subject.id}
      AND ${d.action} = ${decisionActions("hide")} AND ${d.undoneBy} IS NULL
  )`;
  switch (decision.action) {
    case "hide":
      return { hide: hideSubject(db, subject, now, isMade), restore: undefined, marks: undefined };
    case "restore":
      return {
        hide: undefined,
        restore: restoreSubject(db, subject, now, isMade),
        marks: db.run(sql`UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = ${id}
          WHERE ${isOfSubject} AND ${decisions.undoneBy} IS NULL AND ${isMade}`),
      };
    case "undo":
      return {
        hide: hideSubject(db, subject, now, hasUndone(made, "restore")),
        restore: restoreSubject(db, subject, now, sql`(${hasUndone(made, "hide")} AND NOT ${isStillHidden})`),
        marks: db.run(sql`UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = NULL
          WHERE ${isOfSubject} AND ${decisions.undoneBy} IN (
            SELECT ${undone.id} FROM ${decisions} AS ${undone}
            WHERE ${undone.caseId} = ${theCase.id} AND ${undone.undoneBy} = ${id}
              AND ${undone.action} = ${decisionActions("restore")}
          )`),
      };
    default:
      return { hide: undefined, restore: undefined, marks: undefined };
  }
}
