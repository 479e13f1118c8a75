import { getTableColumns, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { describe, expect, it } from "vitest";
import { KEPT_DATA } from "../../app/features/about/kept-data";
import * as schema from "../../db/schema";

const inSchema = Object.entries(schema).flatMap(([table, value]) =>
  is(value, SQLiteTable) ? Object.keys(getTableColumns(value)).map((column) => `${table}.${column}`) : [],
);
const onPage = KEPT_DATA.flatMap(({ columns }) =>
  Object.entries(columns).flatMap(([table, names]) => (names ?? []).map((name) => `${table}.${name}`)),
);

const HOW = "KEPT_DATA in app/features/about/kept-data.ts, which /privacy shows";

describe("The table of /privacy", () => {
  it("has every column of the schema", () => {
    const missing = inSchema.filter((column) => !onPage.includes(column));
    const advice = [
      `Players must be told about every column. Add each of these to its row of ${HOW},`,
      "or write a new row: what it is, why it is kept, until when, and who sees it.",
      "Check that the row's `until` is still true.",
    ].join(" ");
    expect(missing, advice).toEqual([]);
  });

  it("has no column twice, and none that is gone", () => {
    const twice = onPage.filter((column, index) => onPage.indexOf(column) !== index);
    expect(twice, `Leave each of these in one row only of ${HOW}`).toEqual([]);
    const gone = onPage.filter((column) => !inSchema.includes(column));
    expect(gone, `The schema has no such columns any more: remove them from ${HOW}`).toEqual([]);
  });

  it("has more than 200 columns, so that this test can't pass by finding none", () => {
    expect(inSchema.length).toBeGreaterThan(200);
  });
});
