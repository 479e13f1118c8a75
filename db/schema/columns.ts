import { sql } from "drizzle-orm";
import { customType, integer, text } from "drizzle-orm/sqlite-core";
import { RANKS, type Rank } from "../../app/game/ranks";

/** A UUIDv7 primary key: sortable by time of creation, so "newest first" is the key's own order. */
export const id = () => text("id").primaryKey();

/** A moment, stored as whole milliseconds since 1970. */
export const moment = (name: string) => integer(name, { mode: "timestamp_ms" });

/**
 * A rank: a name in code, and a position (0 = Iron 1 … 24 = Radiant) in the database, where "at most Gold 2" is a
 * comparison of numbers.
 */
export const rank = customType<{ data: Rank; driverData: number }>({
  dataType: () => "integer",
  toDriver: (name) => RANKS.indexOf(name),
  fromDriver: (position) => RANKS[position] as Rank,
});

/** A list of words, stored as a JSON array; null if nothing was chosen. */
export const words = <T extends string>(name: string) => text(name, { mode: "json" }).$type<T[]>();

/** A constant from the code, for constraints and partial indexes, where SQLite allows no parameters. */
export const literal = (value: string | number) =>
  sql.raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`);

/** `column IN ('a', 'b', …)`, for the CHECK of a column that allows only the values of a list. */
export const oneOf = (column: unknown, values: readonly string[]) =>
  sql`${column} IN (${sql.join(values.map(literal), sql.raw(", "))})`;
