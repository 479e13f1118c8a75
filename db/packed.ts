import { is, SQL, sql } from "drizzle-orm";
import type { SelectResultField } from "drizzle-orm/query-builders/select.types";
import { SQLiteColumn } from "drizzle-orm/sqlite-core";

type Field = SQLiteColumn | SQL | SQL.Aliased;

interface Fields {
  readonly [name: string]: Field | Fields;
}

/** A row as `packed` returns it. Groups of columns may be null. */
type Unpacked<F extends Fields> = {
  -readonly [Name in keyof F]: F[Name] extends Field
    ? SelectResultField<F[Name]>
    : F[Name] extends Fields
      ? Unpacked<F[Name]> | null
      : never;
};

/**
 * Selects columns as one JSON array, for lists of many rows with many columns. Otherwise the database sends each cell
 * in an object of its own, which costs more than most cells themselves (decision 0079).
 * @param fields columns and SQL expressions by name. None may be a blob, and fractions are rounded to 15 digits. As
 *   with Drizzle's own joins, a group of fields becomes null if the first one is null
 */
export function packed<F extends Fields>(fields: F): SQL.Aliased<Unpacked<F>> {
  const unpack = unpacker(fields);
  return arrayOf(fields)
    .mapWith((text: string) => unpack(JSON.parse(text)) as Unpacked<F>)
    .as("packed");
}

function arrayOf(fields: Fields): SQL {
  const cells = Object.values(fields).map((field) => (isField(field) ? expressionOf(field) : arrayOf(field)));
  return sql`json_array(${sql.join(cells, sql`, `)})`;
}

/** Returns a function that makes a row of an array's cells. */
function unpacker(fields: Fields): (cells: unknown[]) => Record<string, unknown> | null {
  const readers = Object.entries(fields).map(
    ([name, field]) => [name, isField(field) ? decoderOf(field) : unpacker(field)] as const,
  );
  return (cells) => {
    if (cells[0] === null) return null;
    const row: Record<string, unknown> = {};
    readers.forEach(([name, read], index) => {
      const cell = cells[index];
      row[name] = cell === null ? null : read(cell as never);
    });
    return row;
  };
}

const isField = (field: Field | Fields): field is Field =>
  is(field, SQLiteColumn) || is(field, SQL) || is(field, SQL.Aliased);

/** Returns the expression behind a name, because Drizzle writes only the name. A subquery's name is a column of it. */
const expressionOf = (field: Field) =>
  is(field, SQL.Aliased) && !(field as { isSelectionField?: boolean }).isSelectionField ? field.sql : field;

/** Returns the function by which Drizzle reads a value of the field. */
function decoderOf(field: Field): (value: unknown) => unknown {
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  const decoder = is(expression, SQL) ? (expression as unknown as { decoder: SQLiteColumn }).decoder : expression;
  return (value) => decoder.mapFromDriverValue(value as never);
}
