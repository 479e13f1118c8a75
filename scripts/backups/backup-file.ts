import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Value } from "@libsql/core/api";
import * as z from "zod";

/** The version of the file's format. A change that older scripts can't read raises it. */
const VERSION = 1;

/**
 * A line of a backup. A file is gzip with one JSON value per line: `backup`, then each table (`table`) followed by its
 * rows, then the statements that make indexes, triggers and views (`object`), then `end`. A row is an array: its rowid,
 * then its columns in the order of `columns`.
 */
export type Line =
  | { backup: { version: number; madeAt: string } }
  | { table: { name: string; sql: string; columns: string[] } }
  | { row: Value[] }
  | { object: { name: string; sql: string } }
  | { end: Counts };

/** A value that JSON can't hold as it is: a large integer, a floating-point number, or bytes in base64. */
const WRAPPED = z.union([
  z.strictObject({ integer: z.string() }),
  z.strictObject({ real: z.number() }),
  z.strictObject({ blob: z.base64() }),
]);

const STORED_VALUE = z.union([z.null(), z.string(), z.int(), WRAPPED]);

const STORED_LINE = z.union([
  z.array(STORED_VALUE),
  z.strictObject({ backup: z.strictObject({ version: z.int(), madeAt: z.string() }) }),
  z.strictObject({
    table: z.strictObject({ name: z.string(), sql: z.string(), columns: z.array(z.string()) }),
  }),
  z.strictObject({ object: z.strictObject({ name: z.string(), sql: z.string() }) }),
  z.strictObject({ end: z.strictObject({ tables: z.int(), rows: z.int() }) }),
]);

/** The number of tables and rows in a backup. */
export interface Counts {
  tables: number;
  rows: number;
}

/**
 * Writes a backup as its lines arrive. The file gets its name only once it is complete.
 * @param file must not exist; only its owner may read it
 * @throws Error if the file exists or a line can't be made; in that case no file is left
 */
export async function writeBackup(file: string, lines: AsyncIterable<Line>): Promise<Counts> {
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  const draft = `${file}.partial`;
  rmSync(draft, { force: true });
  const counts = { tables: 0, rows: 0 };
  async function* toText(): AsyncGenerator<string> {
    for await (const line of lines) {
      if ("end" in line) Object.assign(counts, line.end);
      yield `${JSON.stringify("row" in line ? line.row.map(wrap) : line)}\n`;
    }
  }
  try {
    await pipeline(toText, createGzip(), createWriteStream(draft, { flags: "wx", mode: 0o600 }));
    renameSync(draft, file);
    return counts;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/**
 * Reads the lines of a backup in order, one at a time.
 * @throws Error if the file isn't a backup, is truncated or changed, or has another format version
 */
export async function* readBackup(file: string): AsyncGenerator<Line> {
  let last: Line | undefined;
  let [tables, rows] = [0, 0];
  for await (const text of readLines(file)) {
    if (last && "end" in last) throw new Error(`${file} goes on after its end.`);
    const line = parseLine(file, text);
    if (!last && !("backup" in line && line.backup.version === VERSION)) {
      throw new Error(`${file} is not a backup that this version can read.`);
    }
    if ("table" in line) tables += 1;
    if ("row" in line) rows += 1;
    last = line;
    yield line;
  }
  const isWhole = last && "end" in last && last.end.tables === tables && last.end.rows === rows;
  if (!isWhole) throw new Error(`${file} is not complete.`);
}

/** Returns the first line of a new backup. */
export const firstLine = (): Line => ({ backup: { version: VERSION, madeAt: new Date().toISOString() } });

async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const text = createGunzip();
  source.on("error", (error) => text.destroy(error));
  let rest = "";
  for await (const chunk of source.pipe(text).setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest) yield rest;
}

function parseLine(file: string, text: string): Line {
  try {
    const line = STORED_LINE.parse(JSON.parse(text));
    return Array.isArray(line) ? { row: line.map(unwrap) } : line;
  } catch (error) {
    throw new Error(`${file} has a line that doesn't belong in a backup.`, { cause: error });
  }
}

/** Makes a value fit for JSON. The database's integers come as bigints, its other numbers as numbers. */
function wrap(value: Value): z.input<typeof STORED_VALUE> {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
  }
  if (typeof value === "number") return { real: value };
  if (value instanceof ArrayBuffer) return { blob: Buffer.from(value).toString("base64") };
  return value;
}

function unwrap(value: z.output<typeof STORED_VALUE>): Value {
  if (typeof value === "number") return BigInt(value);
  if (value === null || typeof value === "string") return value;
  if ("integer" in value) return BigInt(value.integer);
  if ("real" in value) return value.real;
  return new Uint8Array(Buffer.from(value.blob, "base64")).buffer;
}
