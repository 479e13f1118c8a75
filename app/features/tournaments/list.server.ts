import { and, asc, desc, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournaments } from "#db/schema";
import { daysBetween, orderOf, type TournamentCursor, type TournamentFilters } from "./filters";
import { cardColumns, hostColumns, type TournamentCardRow, winner } from "./queries.server";

export const PAGE_SIZE = 20;
/**
 * Index entries among which tournaments are looked for when no index serves all filters. As with posts, the end of the stretch is
 * found twice and the stretch walked once: under 2 000 in all (DESIGN, section 3; decision 0005).
 */
const STRETCH = 550;

export interface TournamentList {
  tournaments: TournamentCardRow[];
  /** Where the next page begins; null at the end. */
  next: TournamentCursor | null;
  /** The page ended because enough was read, not because it was full: there may be more further down. */
  cutShort: boolean;
}

/** Who asks, and when. */
export interface Asked {
  userId: string;
  now: Date;
}

/**
 * A page of tournaments in one round trip. Its cost does not grow with their number: one filter is served by its own index
 * (and gives the list its order, where it is one of time); the others are checked on a bounded stretch of it.
 */
export async function listTournaments(
  db: Database,
  filters: TournamentFilters,
  cursor: TournamentCursor | null,
  asked: Asked,
): Promise<TournamentList> {
  const { order, streams, rest } = plan(filters, cursor, asked);
  const bounded = rest.length > 0;
  const stretch = Math.floor(STRETCH / streams.length);
  const endOf = (stream: SQL | undefined) =>
    db
      .select({ place: sql<string | number>`${order.column}`.as("place"), id: tournaments.id })
      .from(tournaments)
      .where(and(stream, order.until))
      .orderBy(...order.by)
      .limit(1)
      .offset(stretch - 1);
  const pageOf = (stream: SQL | undefined) =>
    db
      .select({ ...cardColumns, winner, host: hostColumns })
      .from(tournaments)
      .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
      .where(
        and(
          stream,
          // One bound or the other: SQLite walks the index to the first that it finds.
          bounded ? order.upTo(sql`(SELECT place FROM ${endOf(stream).as("stretch")})`) : order.until,
          ...rest,
        ),
      );
  const [found, ...lasts] = await Promise.all([
    // SQLite merges ordered streams as it reads them.
    streams[1]
      ? unionAll(pageOf(streams[0]), pageOf(streams[1]))
          .orderBy(sql`id DESC`)
          .limit(PAGE_SIZE + 1)
      : pageOf(streams[0])
          .orderBy(...order.by)
          .limit(PAGE_SIZE + 1),
    ...(bounded ? streams.map((stream) => endOf(stream).get()) : []),
  ]);
  // Of two streams the one whose stretch ends first has not been looked at below: the page ends there at the latest.
  const [end] = lasts.flatMap((last) => last ?? []).sort((a, b) => (a.id < b.id ? 1 : -1));
  const listed = end ? found.filter((row) => !order.isBeyond(row, end)) : found;
  const shown = listed.slice(0, PAGE_SIZE);
  const last = shown.at(-1);
  if (listed.length > PAGE_SIZE && last) {
    return { tournaments: shown, next: { at: order.at(last), id: last.id }, cutShort: false };
  }
  const next = end ? { at: typeof end.place === "number" ? end.place : null, id: end.id } : null;
  return { tournaments: shown, next, cutShort: next !== null };
}

/** What orders the list, which index serves the filters (as one or two streams), and what is left to check on each tournament. */
function plan(filters: TournamentFilters, cursor: TournamentCursor | null, asked: Asked) {
  const { registrationDeadline, tournamentDate, region, entryFee, state, id } = tournaments;
  const { from, to } = daysBetween(filters);
  const now = asked.now.getTime();
  const isOpen = sql`+${state} = 'open' AND +${registrationDeadline} > ${now}`;
  const isFree = sql`+${entryFee} = 0`;
  const isForRegion = sql`(+${region} = ${filters.region} OR +${region} IS NULL)`;
  const rest: SQL[] = filters.fits ? [fits(asked.userId)] : [];
  switch (orderOf(filters)) {
    case "date": {
      // Nobody who names only the last day means all years before.
      const first = (from ?? asked.now).getTime();
      const last = to?.getTime() ?? FOREVER;
      if (filters.open) rest.push(isOpen);
      if (filters.free) rest.push(isFree);
      if (filters.region) rest.push(isForRegion);
      const stream = cursor
        ? sql`${after(tournamentDate, cursor)} AND +${tournamentDate} >= ${first}`
        : sql`${tournamentDate} >= ${first}`;
      return { order: byTime(tournamentDate, (row) => row.tournamentDate, last), streams: [stream], rest };
    }
    case "deadline": {
      if (filters.free) rest.push(isFree);
      if (filters.region) rest.push(isForRegion);
      const stream = and(
        // In words, so that SQLite takes the partial index.
        sql`state = 'open'`,
        cursor
          ? sql`${after(registrationDeadline, cursor)} AND +${registrationDeadline} > ${now}`
          : sql`${registrationDeadline} > ${now}`,
      );
      return {
        order: byTime(registrationDeadline, (row) => row.registrationDeadline, FOREVER),
        streams: [stream],
        rest,
      };
    }
    case "newest": {
      const older = cursor ? lt(id, cursor.id) : undefined;
      if (filters.region) {
        if (filters.free) rest.push(isFree);
        const streams = [and(eq(region, filters.region), older), and(isNull(region), older)];
        return { order: NEWEST, streams, rest };
      }
      return { order: NEWEST, streams: [and(filters.free ? sql`entry_fee = 0` : undefined, older)], rest };
    }
  }
}

/** Beyond any date, in milliseconds since 1970. */
const FOREVER = 8.64e15;

const after = (column: SQLiteColumn, { at, id }: TournamentCursor) =>
  sql`(${column}, ${tournaments.id}) > (${at}, ${id})`;

/** That a player's rank is within the limits. Whoever has none may play where there are none. */
const fits = (userId: string) => {
  const rank = sql`(SELECT current_rank FROM profiles WHERE profiles.user_id = ${userId})`;
  const { minRank, maxRank } = tournaments;
  return sql`(${minRank} IS NULL OR ${minRank} <= ${rank}) AND (${maxRank} IS NULL OR ${maxRank} >= ${rank})`;
};

interface ListOrder {
  column: SQLiteColumn;
  by: SQL[];
  /** That a tournament does not come after all that the filters let through. */
  until?: SQL;
  /** That a tournament stands no further down than where a stretch ends. */
  upTo(end: SQL): SQL;
  /** That one stands further down than where a stretch ends, of those that `upTo` lets through. */
  isBeyond(row: TournamentCardRow, end: { place: string | number; id: string }): boolean;
  /** What a cursor holds of a tournament besides its id. */
  at(row: TournamentCardRow): number | null;
}

const NEWEST: ListOrder = {
  column: tournaments.id,
  by: [desc(tournaments.id)],
  upTo: (end) => gte(tournaments.id, sql`coalesce(${end}, '')`),
  isBeyond: (row, end) => row.id < end.id,
  at: () => null,
};

/** What comes first in time comes first. @param last only what is before it */
const byTime = (column: SQLiteColumn, timeOf: (row: TournamentCardRow) => Date, last: number): ListOrder => ({
  column,
  by: [asc(column), asc(tournaments.id)],
  until: sql`${column} < ${last}`,
  upTo: (end) => sql`${column} <= coalesce(${end}, ${last - 1})`,
  isBeyond: (row, end) => timeOf(row).getTime() === end.place && row.id > end.id,
  at: (row) => timeOf(row).getTime(),
});
