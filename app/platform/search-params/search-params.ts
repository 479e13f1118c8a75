import type { Cursor } from "../lists/keyset";

/*
 * The parameters of a list's address, declared once. The declaration determines how addresses are read and links are
 * written, and which fields the list's form has (`FilterFields` in `app/ui/forms/filter-form.tsx`). Links and forms
 * keep the declaration's order. docs/decisions/0040-search-parameters.md has the reasons.
 */

/** The parameters of an address by their names. */
export type SearchParams = Readonly<Record<string, SearchParam>>;

export type SearchParam = Choice | Flag | Text | Day | Whole | Place | Ids;

/** A parameter with a label has a field in the form. */
interface Labelled {
  label?: string;
}

/** One of several values; by default null if the form offers `any`, else the first option. */
export interface Choice extends Labelled {
  kind: "choice";
  /** Values that are their own labels, or labels by value, or values by the label of their group. */
  options: readonly (string | number)[] | Readonly<Record<string, string | readonly string[]>>;
  /** The label of the empty option: "All regions". */
  any?: string;
  /** Links include it even if it has its default, because the address without any parameter means something else. */
  inEveryLink?: true;
}

/** `on`, or absent. */
interface Flag extends Labelled {
  kind: "flag";
}

/** One line; empty by default. */
interface Text extends Labelled {
  kind: "text";
  /** Characters after which the text is cut. */
  max: number;
  /** Converts the text to its canonical form; idempotent. Returns null to refuse the text. */
  clean?: (line: string) => string | null;
  /** Attributes of its field. */
  input?: { type?: "search"; placeholder?: string; autoComplete?: string; list?: string };
}

/** A day as `2026-12-05`; empty by default. */
interface Day extends Labelled {
  kind: "day";
}

/** A whole number from `min`, which is its default and not negative, to `max`. */
interface Whole {
  kind: "number";
  min: number;
  max: number;
  label?: never;
}

/** The cursor of a page (`platform/lists/keyset.ts`); by default null, which is the first page. */
interface Place {
  kind: "cursor";
  /** The list's order: by a number and the id, by the id alone, or by either, depending on the other parameters. */
  by: "number" | "id" | "either";
  /** The names of its two parameters in the address, if not `after` and `upto`. */
  names?: PlaceNames;
  label?: never;
}

type PlaceNames = Readonly<Record<Cursor["way"], string>>;

/** Up to `max` ids (UUIDs); none by default. */
interface Ids {
  kind: "ids";
  max: number;
  label?: never;
}

type OptionOf<Options> = Options extends readonly (infer Value)[]
  ? Value
  : Options[keyof Options] extends readonly (infer Value)[]
    ? Value
    : keyof Options;

type ValueOf<Param> = Param extends { kind: "choice"; options: infer Options }
  ? OptionOf<Options> | (Param extends { any: string } ? null : never)
  : Param extends { kind: "flag" }
    ? boolean
    : Param extends { kind: "number" }
      ? number
      : Param extends { kind: "cursor" }
        ? Cursor | null
        : Param extends { kind: "ids" }
          ? string[]
          : string;

/** The values of an address by the names of its parameters. */
export type Values<Params> = { -readonly [Name in keyof Params]: ValueOf<Params[Name]> };

/** The values of those parameters that have a field in the form. */
export type FieldValues<Params> = {
  [Name in keyof Params as Params[Name] extends { label: string } ? Name : never]: ValueOf<Params[Name]>;
};

/** Reads an address. Never fails: a parameter that is absent or not understood has its default. */
export function readSearch<Params extends SearchParams>(params: Params, query: URLSearchParams): Values<Params> {
  const values = Object.entries(params).map(([name, param]) => [name, readParam(param, query, name)]);
  return Object.fromEntries(values) as Values<Params>;
}

function readParam(param: SearchParam, query: URLSearchParams, name: string): unknown {
  const text = query.get(name) ?? "";
  switch (param.kind) {
    case "choice":
      return optionsOf(param).find((option) => isWritten(option, text)) ?? defaultOf(param);
    case "flag":
      return text === "on";
    case "text":
      return cleanText(text, param);
    case "day":
      return isDay(text) ? text : "";
    case "number":
      return readWhole(text, param);
    case "cursor":
      return readCursor(query, param);
    case "ids":
      return text.split("_", param.max).filter((id) => /^[0-9a-f-]{36}$/.test(id));
  }
}

const optionsOf = ({ options }: Choice): readonly (string | number)[] =>
  isList(options)
    ? options
    : Object.entries(options).flatMap(([value, label]) => (typeof label === "string" ? value : label));

/** `Array.isArray` doesn't narrow to readonly arrays. */
const isList = (options: Choice["options"]): options is readonly (string | number)[] => Array.isArray(options);

const isWritten = (option: string | number, text: string): boolean =>
  typeof option === "number" ? text !== "" && Number(text) === option : text === option;

function defaultOf(param: SearchParam): string | number | null {
  if (param.kind === "number") return param.min;
  return (param.kind === "choice" && param.any === undefined && optionsOf(param)[0]) || null;
}

function cleanText(typed: string, { max, clean = (line) => line }: Text): string {
  const line = typed
    .normalize()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  // Cut between characters.
  return [...(clean(line) ?? "")].slice(0, max).join("").trim();
}

function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  // `Date` reads 30 February as a day in March.
  return time >= 0 && new Date(time).toISOString().startsWith(text);
}

function readWhole(text: string, { min, max }: Whole): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= min && value <= max ? value : min;
}

const PLACE_NAMES: PlaceNames = { after: "after", upTo: "upto" };

function readCursor(query: URLSearchParams, { by, names = PLACE_NAMES }: Place): Cursor | null {
  const way = query.has(names.upTo) ? "upTo" : "after";
  const [, key, id] = query.get(names[way])?.match(/^(?:(\d{1,15}(?:\.\d{1,17})?)_)?([0-9a-f-]{32,36})$/) ?? [];
  if (id === undefined || by === (key === undefined ? "number" : "id")) return null;
  return { way, key: key === undefined ? null : Number(key), id };
}

/**
 * Writes the canonical query string of values: parameters in the order of their declaration, without those that have
 * their default, except for `inEveryLink`. Equal values have equal query strings, so a query string can serve as a key.
 * @param values parameters that are left out have their defaults
 * @returns with `?`, or empty
 */
export function writeSearch<Params extends SearchParams>(params: Params, values: Partial<Values<Params>>): string {
  const query = new URLSearchParams();
  for (const [name, param] of Object.entries(params)) {
    const value: unknown = values[name] ?? defaultOf(param);
    if (param.kind === "cursor") writeCursor(query, param, value as Cursor | null);
    else if (value !== defaultOf(param) || (param.kind === "choice" && param.inEveryLink)) {
      const text = Array.isArray(value) ? value.join("_") : value === true ? "on" : value;
      if (text) query.set(name, String(text));
    }
  }
  return query.size > 0 ? `?${query}` : "";
}

function writeCursor(query: URLSearchParams, { names = PLACE_NAMES }: Place, cursor: Cursor | null): void {
  if (cursor) query.set(names[cursor.way], cursor.key === null ? cursor.id : `${cursor.key}_${cursor.id}`);
}

/** Whether an address has any of the parameters, whether its value is valid or not. */
export const hasAnyParam = (params: SearchParams, query: URLSearchParams): boolean =>
  Object.entries(params).some(([name, param]) =>
    (param.kind === "cursor" ? Object.values(param.names ?? PLACE_NAMES) : [name]).some((one) => query.has(one)),
  );

/** Counts the active filters: the form's fields that could be empty and aren't. */
export const countActiveFilters = <Params extends SearchParams>(params: Params, values: FieldValues<Params>): number =>
  Object.entries(params).filter(
    ([name, param]) => param.label && (param.kind !== "choice" || param.any) && values[name as keyof typeof values],
  ).length;
