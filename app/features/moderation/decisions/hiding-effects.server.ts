import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { appeals, decisions, reportCases } from "#db/schema";
import { bare, decisionActions } from "#db/sql";
import { setPlayerAside } from "~/features/players/shared/hide-player.server";
import { hideSubject, restoreSubject } from "../shared/hiding.server";
import { takeOriginalBack } from "../shared/originals.server";
import { hasUndone, type MadeDecision } from "./made-decision.server";

const d = alias(decisions, "d");
const granted = alias(appeals, "granted");
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
 * True, once `marks` has run, if a decision has undone a restoration and reinstated a decision to hide the subject. The
 * restoration had ended all decisions before it, so those of them that stand now are the reinstated ones.
 */
export const hidesAgain = ({ id, theCase }: Pick<MadeDecision, "id" | "theCase">): SQL => sql`EXISTS (
  SELECT 1 FROM ${decisions} AS ${undone} JOIN ${decisions} AS ${d} ON ${d.id} < ${undone.id}
  WHERE ${undone.caseId} = ${theCase.id} AND ${undone.undoneBy} = ${id}
    AND ${undone.action} = ${decisionActions("restore")}
    AND ${hides(d, theCase.kind, theCase.subjectId)} AND ${d.undoneBy} IS NULL
)`;

/**
 * Builds the statements that hide or restore the subject of a case, as a decision says. Restoring a subject ends the
 * earlier decisions to hide it; undoing the restoration reinstates them, even those about words of a player that have
 * been replaced since, but not those whose appeal was granted. If several decisions hide a subject, undoing one of them
 * leaves it hidden.
 * @param isMade true if the decision was stored
 */
export function buildHiding(db: Database, made: MadeDecision, isMade: SQL) {
  const { id, theCase, decision, now } = made;
  const subject = { kind: theCase.kind, id: theCase.subjectId };
  const hidesSubject = hides(decisions, subject.kind, subject.id);
  const isHiddenAgain = hidesAgain(made);
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
        // First, because the rest depends on the decisions that stand.
        marks: db.run(sql`UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = NULL
          WHERE ${hidesSubject} AND ${decisions.undoneBy} IN (
            SELECT ${undone.id} FROM ${decisions} AS ${undone}
            WHERE ${undone.caseId} = ${theCase.id} AND ${undone.undoneBy} = ${id}
              AND ${undone.action} = ${decisionActions("restore")}
          ) AND NOT EXISTS (
            SELECT 1 FROM ${appeals} AS ${granted}
            WHERE ${granted.decisionId} = ${decisions.id} AND ${granted.outcome} = 'granted'
          )`),
        aside: subject.kind === "player" ? takeOriginalBack(db, subject.id, now, isHiddenAgain) : undefined,
        hide: hideSubject(db, subject, now, isHiddenAgain),
        restore: restoreSubject(
          db,
          subject,
          now,
          sql`(${hasUndone(made, "hide")} AND NOT ${isHidden(subject.kind, subject.id)})`,
        ),
      };
    default:
      return { aside: undefined, hide: undefined, restore: undefined, marks: undefined };
  }
}
