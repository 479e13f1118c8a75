import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { decisions, reportCases } from "#db/schema";
import { bare, decisionActions } from "#db/sql";
import { setPlayerAside } from "~/features/players/shared/hide-player.server";
import { hideSubject, restoreSubject } from "../shared/hiding.server";
import { takeOriginalBack } from "../shared/originals.server";
import { hasUndone, type MadeDecision } from "./made-decision.server";

const d = alias(decisions, "d");
const same = alias(reportCases, "same");
const undone = alias(decisions, "undone");

/**
 * True for the rows of `decisions` that hide a thing, in whichever of its cases they were made. The cases of a thing
 * may name different players: a captain hands the team over, or the writer's account is erased.
 * @param rows the query's name for `decisions`
 * @param kind the thing's kind, as a value or a column, like its id
 */
const hides = (
  rows: { caseId: SQLiteColumn; action: SQLiteColumn },
  kind: string | SQLiteColumn,
  id: string | SQLiteColumn,
): SQL => sql`(${rows.action} = ${decisionActions("hide")} AND ${rows.caseId} IN (
  SELECT ${same.id} FROM ${reportCases} AS ${same} WHERE ${same.kind} = ${kind} AND ${same.subjectId} = ${id}
))`;

/** True if a decision that stands hides a thing. The arguments are those of `hides`. */
export const isHidden = (kind: string | SQLiteColumn, id: string | SQLiteColumn): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${d} WHERE ${hides(d, kind, id)} AND ${d.undoneBy} IS NULL
)`;

/**
 * Builds the statements that hide or restore the subject of a case, as a decision says. Restoring a subject ends the
 * earlier decisions to hide it; undoing the restoration reinstates them, even those about words of a player that have
 * been replaced since. If several decisions hide a subject, undoing one of them leaves it hidden.
 * @param isMade true if the decision was stored
 */
export function buildHiding(db: Database, made: MadeDecision, isMade: SQL) {
  const { id, theCase, decision, now } = made;
  const subject = { kind: theCase.kind, id: theCase.subjectId };
  const hidesSubject = hides(decisions, subject.kind, subject.id);
  const undoesRestoration = hasUndone(made, "restore");
  switch (decision.action) {
    case "hide":
      return { aside: undefined, hide: hideSubject(db, subject, now, isMade), restore: undefined, marks: undefined };
    case "restore":
      return {
        aside: subject.kind === "player" ? setPlayerAside(db, subject.id, now, isMade) : undefined,
        hide: undefined,
        restore: restoreSubject(db, subject, now, isMade),
        marks: db.run(sql`UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = ${id}
          WHERE ${hidesSubject} AND ${decisions.undoneBy} IS NULL AND ${isMade}`),
      };
    case "undo":
      return {
        aside: subject.kind === "player" ? takeOriginalBack(db, subject.id, now, undoesRestoration) : undefined,
        hide: hideSubject(db, subject, now, undoesRestoration),
        restore: restoreSubject(
          db,
          subject,
          now,
          sql`(${hasUndone(made, "hide")} AND NOT ${isHidden(subject.kind, subject.id)})`,
        ),
        marks: db.run(sql`UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = NULL
          WHERE ${hidesSubject} AND ${decisions.undoneBy} IN (
            SELECT ${undone.id} FROM ${decisions} AS ${undone}
            WHERE ${undone.caseId} = ${theCase.id} AND ${undone.undoneBy} = ${id}
              AND ${undone.action} = ${decisionActions("restore")}
          )`),
      };
    default:
      return { aside: undefined, hide: undefined, restore: undefined, marks: undefined };
  }
}
