import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import { tournamentMatches } from "#db/schema";
import type { PlayMatch } from "./state";

/* A match's columns in SQL, shared by loading and saving. */

const { tournamentId: _, ...columns } = getTableColumns(tournamentMatches) satisfies Record<keyof PlayMatch, Column>;

/** The columns of a match, by property name. */
export const MATCH_COLUMNS = columns;

export const MATCH_FIELDS = Object.keys(MATCH_COLUMNS) as (keyof PlayMatch)[];

/** Joins parts of a statement with commas. */
export const list = (parts: SQL[]) => sql.join(parts, sql`, `);

/** Returns matches' ids as JSON, for a single parameter. */
export const idsOf = (matches: readonly PlayMatch[]) => JSON.stringify(matches.map(({ id }) => id));
