import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { EDITABLE } from "./hosting/edit";
import type { TournamentField } from "./hosting/options";

// Organisers can change the seeding until the start, so it is no promise.
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
 * Writes a tournament's terms as the registration form carries them: first the values that may only grow once teams
 * have registered, then those that can't be edited any more (`termsOf`).
 */
export const writeTerms = (row: { prizePool: number; maxParticipants: number; terms: string }): string =>
  [row.prizePool, row.maxParticipants, row.terms].join(" ");

/**
 * SQL condition that a tournament still has the terms that a form showed, or offers more.
 * @param shown the terms, as `writeTerms` returns them. Older pages send none, or only the array; their forms pass
 */
export function offers(t: Columns, shown = ""): SQL {
  const [, prizePool, maxParticipants, terms] = /^(\d{1,15}) (\d{1,15}) (.*)$/s.exec(shown) ?? [];
  return terms === undefined
    ? sql`1`
    : sql`(${termsOf(t)} = ${terms} AND ${t.prizePool} >= ${Number(prizePool)}
        AND ${t.maxParticipants} >= ${Number(maxParticipants)})`;
}
