import { and, type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import { isCaseShownTo } from "#db/cases";
import type { Database } from "#db/client";
import { reportCases } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import { nameOf } from "~/features/players/shared/name.server";
import { type Cursor, type Page, type Place, pageOf } from "~/platform/lists/keyset";
import { latestDecision } from "../shared/latest-decision.server";
import type { QueueFilters } from "./filters";

const c = alias(reportCases, "c");

const PAGE_SIZE = 20;
/** Maximum number of cases examined for a page when no index serves all filters. */
const STRETCH = 500;
/** Number of characters of a reported text that a row shows. */
const EXCERPT = 300;

/** A case in the queue. */
export interface QueuedCase {
  id: string;
  kind: ReportKind;
  subjectId: string;
  author: string | null;
  excerpt: string | null;
  reportCount: number;
  isUrgent: number;
  isFlagged: number;
  isForAdmin: number;
  /** The name of the moderator working on it. */
  assignee: string | null;
  createdAt: number;
  closedAt: number | null;
  /** The latest decision. */
  action: DecisionAction | null;
}

/**
 * Lists cases, in one round trip. The cost doesn't grow with the number of cases: an index serves one filter, and the
 * others are checked on a bounded stretch of that index. A moderator doesn't see cases about themselves, which would
 * name the reporters. When sorted by age, open cases that are urgent come first.
 * @param moderatorId null for an operator, who sees all cases
 * @param assignee the moderator to whom the filter `mine` refers
 */
export async function listCases(
  db: Database,
  filters: QueueFilters,
  cursor: Cursor | null,
  moderatorId: string | null,
  assignee: string | null = moderatorId,
): Promise<Page<QueuedCase>> {
  const { base, rest } = planQueue(filters, moderatorId, assignee);
  const isOpen = filters.state === "open";
  const isByReports = isOpen && filters.order === "reports";
  const key: Key | null = isByReports ? "reportCount" : isOpen && !filters.urgent ? "isUrgent" : null;
  const stretches = key ? byKey(base, reportCases[key], cursor) : [byAge(base, isOpen, cursor)];
  const isBounded = rest.length > 1;
  const [ends, ...found] = await Promise.all([
    isBounded ? Promise.all(stretches.map((stretch) => endOf(db, stretch, key, cursor?.way === "upTo"))) : [],
    ...stretches.map((stretch) => {
      const source = sql`SELECT * FROM ${reportCases} WHERE ${stretch.where} ORDER BY ${stretch.orderBy}`;
      return db.all<QueuedCase>(sql`
        SELECT ${ROW} FROM (${isBounded ? sql`${source} LIMIT ${STRETCH}` : source}) AS ${c}
        WHERE ${and(...rest)} LIMIT ${PAGE_SIZE + 1}`);
    }),
  ]);
  const rows: QueuedCase[] = [];
  let end: Place | null = null;
  for (const [index, part] of found.entries()) {
    rows.push(...part);
    end = ends[index] ?? null;
    // The next stretch is needed only if this one was read to its end.
    if (end) break;
  }
  const placeOf = (row: QueuedCase): Place => ({ key: key && row[key], id: row.id });
  return pageOf({ found: rows.slice(0, PAGE_SIZE + 1), end }, PAGE_SIZE, cursor, placeOf);
}

const ROW = sql`
  ${c.id} AS id, ${c.kind} AS kind, ${c.subjectId} AS subjectId, json_extract(${c.snapshot}, '$.author') AS author,
  substr(coalesce(
    json_extract(${c.snapshot}, '$.title'), json_extract(${c.snapshot}, '$.content'),
    json_extract(${c.snapshot}, '$.comment'), json_extract(${c.snapshot}, '$.name'),
    json_extract(${c.snapshot}, '$.description'), json_extract(${c.snapshot}, '$.quoted')
  ), 1, ${EXCERPT}) AS excerpt,
  ${c.reportCount} AS reportCount, ${c.isUrgent} AS isUrgent, ${c.isFlagged} AS isFlagged,
  ${c.isForAdmin} AS isForAdmin,
  ${nameOf(sql`${c.assignedTo}`)} AS assignee, ${c.createdAt} AS createdAt, ${c.closedAt} AS closedAt,
  ${latestDecision("action", c.id)} AS action`;

/**
 * Splits the filters into the conditions that an index serves and the rest, which refer to `c`. The first of the rest
 * is no filter: it leaves out the cases that the moderator doesn't see.
 */
function planQueue(
  filters: QueueFilters,
  moderatorId: string | null,
  assignee: string | null,
): { base: SQL; rest: SQL[] } {
  const { state, kind, urgent, flagged, mine, admin, order } = filters;
  const isClosed = state === "closed";
  // Literals, not parameters, so that SQLite uses the partial indexes.
  const open = sql`${reportCases.state} = 'open'`;
  const isByAge = !isClosed && order === "age";
  const served = !isByAge ? null : mine ? "mine" : admin ? "admin" : flagged ? "flagged" : kind ? "kind" : null;
  const bases = {
    mine: sql`${open} AND ${reportCases.assignedTo} IS NOT NULL AND ${reportCases.assignedTo} = ${assignee}`,
    admin: sql`${open} AND ${reportCases.isForAdmin} = 1`,
    flagged: sql`${open} AND ${reportCases.isFlagged} = 1`,
    kind: sql`${open} AND ${reportCases.kind} = ${kind}`,
  };
  const base = isClosed ? sql`${reportCases.state} = 'closed'` : served ? bases[served] : open;
  // The indexes by age all serve this filter, too.
  const isUrgentServed = urgent && isByAge;
  const rest = [
    isCaseShownTo(moderatorId, c),
    ...(mine && served !== "mine" ? [sql`${c.assignedTo} = ${assignee}`] : []),
    ...(admin && served !== "admin" ? [sql`${c.isForAdmin} = 1`] : []),
    ...(urgent && !isUrgentServed ? [sql`${c.isUrgent} = 1`] : []),
    ...(flagged && served !== "flagged" ? [sql`${c.isFlagged} = 1`] : []),
    ...(kind && served !== "kind" ? [sql`${c.kind} = ${kind}`] : []),
  ];
  return { base: isUrgentServed ? sql`${base} AND ${reportCases.isUrgent} = 1` : base, rest };
}

/** A stretch of an index, in reading order. */
interface Stretch {
  where: SQL;
  orderBy: SQL;
}

/** Orders open cases by age, oldest first, and closed ones newest first. */
function byAge(base: SQL, isOldestFirst: boolean, cursor: Cursor | null): Stretch {
  const isUp = cursor?.way === "upTo";
  const isAscending = isOldestFirst !== isUp;
  const compared = sql.raw(`${isAscending ? ">" : "<"}${isUp ? "=" : ""}`);
  return {
    where: cursor ? sql`${base} AND ${reportCases.id} ${compared} ${cursor.id}` : base,
    orderBy: sql`${reportCases.id} ${sql.raw(isAscending ? "ASC" : "DESC")}`,
  };
}

/** The columns by which open cases are ordered before their age. */
type Key = "reportCount" | "isUrgent";

/**
 * Orders cases by a number, highest first, then by age, oldest first. The two columns are sorted in opposite
 * directions, so a page is read in two stretches: the cases with the same number as the one at the cursor, then those
 * with lower ones (when paging back, with higher ones).
 */
function byKey(base: SQL, number: SQLiteColumn, cursor: Cursor | null): Stretch[] {
  const { id } = reportCases;
  if (!cursor) return [{ where: base, orderBy: sql`${number} DESC, ${id} ASC` }];
  // Addresses from the time when cases were ordered by age alone have no number.
  const key = cursor.key ?? 0;
  return cursor.way === "upTo"
    ? [
        { where: sql`${base} AND ${number} = ${key} AND ${id} <= ${cursor.id}`, orderBy: sql`${id} DESC` },
        { where: sql`${base} AND ${number} > ${key}`, orderBy: sql`${number} ASC, ${id} DESC` },
      ]
    : [
        { where: sql`${base} AND ${number} = ${key} AND ${id} > ${cursor.id}`, orderBy: sql`${id} ASC` },
        { where: sql`${base} AND ${number} < ${key}`, orderBy: sql`${number} DESC, ${id} ASC` },
      ];
}

/**
 * Finds where the examined part of a stretch ends: at the last case that is examined, or, on the way up, at the first
 * one that isn't (`Walked`).
 * @returns undefined if the stretch is too short for that
 */
async function endOf(
  db: Database,
  { where, orderBy }: Stretch,
  key: Key | null,
  isUp: boolean,
): Promise<Place | undefined> {
  const [row] = await db.all<Place>(sql`
    SELECT ${reportCases.id} AS id, ${key ? sql`${reportCases[key]}` : sql`NULL`} AS key FROM ${reportCases}
    WHERE ${where} ORDER BY ${orderBy} LIMIT 1 OFFSET ${isUp ? STRETCH : STRETCH - 1}`);
  return row;
}
