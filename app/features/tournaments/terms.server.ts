import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { EDITABLE } from "./hosting/edit";
import type { TournamentField } from "./hosting/options";

// Organisers choose the seeding until the start, so it is no promise.
const TERMS = EDITABLE.everything.filter((name) => !EDITABLE.harmless.includes(name) && name !== "seeding");

type Columns = Record<TournamentField, SQLWrapper>;

/**
 * The values of a tournament that can't be edited once teams have registered, as a JSON array.
 * @param t the table `tournaments`, or an alias of it
 */
export const termsOf = (t: Columns): SQL<string> =>
  sql`json_array(${sql.join(
    TERMS.map((name) => t[name]),
    sql`, `,
  )})`;

/**
 * The terms as the form to register carries them: those that its page showed, after the values that may only grow once
 * teams have registered.
 */
export const writeTerms = (row: { prizePool: number; maxParticipants: number; terms: string }): string =>
  [row.prizePool, row.maxParticipants, row.terms].join(" ");

/**
 * SQL condition that a tournament still has the terms that a form showed, or offers more.
 * @param shown as `writeTerms` returns them. Pages from before this field send none, or only the array: they pass
 */
export function offers(t: Columns, shown = ""): SQL {
  const [, prizePool, maxParticipants, terms] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(shown) ?? [];
  return terms === undefined
    ? sql`1`
    : sql`(${termsOf(t)} = ${terms} AND ${t.prizePool} >= ${Number(prizePool)}
        AND ${t.maxParticipants} >= ${Number(maxParticipants)})`;
}
