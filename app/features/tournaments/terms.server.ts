import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { EDITABLE } from "./hosting/edit";
import type { TournamentField } from "./hosting/options";

const TERMS = EDITABLE.everything.filter((name) => !EDITABLE.harmless.includes(name));

/**
 * The values of a tournament that can't be edited once teams have registered, as a JSON array. The form to register
 * carries those that its page showed.
 * @param t the table `tournaments`, or an alias of it
 */
export const termsOf = (t: Record<TournamentField, SQLWrapper>): SQL<string> =>
  sql`json_array(${sql.join(
    TERMS.map((name) => t[name]),
    sql`, `,
  )})`;
