import { and, desc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, unionAll } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { profiles, tournamentPlayers, tournaments } from "#db/schema";
import { nameColumns } from "~/features/players/shared/name.server";
import { type Cursor, type Page, type Place, pageOf } from "~/platform/lists/keyset";
import { FOREVER, planWalk, type Walk } from "~/platform/lists/keyset.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { cardColumns, entryOf, isShownDespiteBlocks, LISTED, type TournamentCardRow, winner } from "../queries.server";
import { daysBetween, orderOf, type TournamentFilters } from "./filters";

const PAGE_SIZE = 20;
/**
 * Maximum number of index entries checked when no index serves all filters. As with posts, the query looks up the end
 * of this range twice and walks the range once: under 2 000 entries in all (decision 0005).
 */
const STRETCH = 550;

/** The viewer and the time of the request. */
interface Visit {
  userId: string;
  now: Date;
}

/**
 * Returns a page of tournaments in one round trip. The cost doesn't grow with the number of tournaments: one filter is
 * served by its own index, which also sets the order if it is a filter on time; the others are checked on a bounded
 * range of that index.
 */
export async function listTournaments(
  db: Database,
  filters: TournamentFilters,
  cursor: Cursor | null,
  visit: Visit,
): Promise<Page<TournamentCardRow>> {
  const { order, streams, rest } = plan(filters, cursor, visit);
  const { isUp, orderBy, compare } = order.walk;
  const bounded = rest.length > 0;
  const stretch = Math.floor(STRETCH / streams.length);
  const endOf = (stream: SQL | undefined) =>
    db
      .select({ place: sql<string | number>`${order.column}`.as("place"), id: tournaments.id })
      .from(tournaments)
      .where(and(stream, order.within(null)))
      .orderBy(...orderBy)
      .limit(1)
      .offset(isUp ? stretch : stretch - 1);
  const rowsOf = (stream: SQL | undefined) =>
    db
      .select({ ...cardColumns, winner, entry: entryOf(visit.userId), host: nameColumns })
      .from(tournaments)
      .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
      .where(
        and(
          stream,
          isNull(tournaments.hiddenAt),
          isShownDespiteBlocks(visit.userId),
          // Keeps a single bound at the far end of the walk: given two, SQLite would walk the index to the one written
          // first, even if it is further away.
          order.within(bounded ? sql`(SELECT place FROM ${endOf(stream).as("stretch")})` : null),
          ...rest,
        ),
      );
  const [found, ...lasts] = await Promise.all([
    // SQLite merges ordered streams as it reads them.
    streams[1]
      ? unionAll(rowsOf(streams[0]), rowsOf(streams[1]))
          .orderBy(isUp ? sql`id ASC` : sql`id DESC`)
          .limit(PAGE_SIZE + 1)
      : rowsOf(streams[0])
          .orderBy(...orderBy)
          .limit(PAGE_SIZE + 1),
    ...(bounded ? streams.map((stream) => endOf(stream).get()) : []),
  ]);
  // If there are two streams, the page ends no later than the stream that stops first: its later entries were not read.
  const ends = lasts.flatMap((last) =>
    last ? { key: typeof last.place === "number" ? last.place : null, id: last.id } : [],
  );
  const [end = null] = ends.sort(compare);
  const within = found.filter((row) => !end || compare(order.placeOf(row), end) < (isUp ? 0 : 1));
  return pageOf({ found: within, end }, PAGE_SIZE, cursor, order.placeOf);
}

/** Maximum number of tournaments that `listUnlisted` returns. */
const MAX_UNLISTED = PAGE_SIZE;

/** Lists a host's newest unlisted tournaments that pass the filters. Other players' lists leave them out. */
export function listUnlisted(db: Database, filters: TournamentFilters, visit: Visit): Promise<TournamentCardRow[]> {
  const { order, streams, rest } = plan(filters, null, visit, sql`1`);
  const mine = eq(tournaments.userId, visit.userId);
  // The unary plus keeps SQLite from using the filters' indexes.
  const passes = sql`+(${and(or(...streams), order.within(null), ...rest)})`;
  return db
    .select({ ...cardColumns, winner, entry: entryOf(visit.userId), host: nameColumns })
    .from(tournaments)
    .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
    .where(and(mine, sql`${tournaments.isListed} = 0`, isNull(tournaments.hiddenAt), passes))
    .orderBy(desc(tournaments.id))
    .limit(MAX_UNLISTED);
}

/**
 * Plans a list query: its order, the index that serves the filters (as one or two streams), and the conditions left to
 * check per row.
 * @param scope the tournaments that the list is about
 */
function plan(filters: TournamentFilters, cursor: Cursor | null, visit: Visit, scope: SQL = LISTED) {
  const { registrationDeadline, tournamentDate, region, entryFee, state } = tournaments;
  const { from, to } = daysBetween(filters);
  const now = visit.now.getTime();
  const isOpen = sql`+${state} = 'open' AND +${registrationDeadline} > ${now}`;
  const isFree = sql`+${entryFee} = 0`;
  const isForRegion = sql`(+${region} = ${filters.region} OR +${region} IS NULL)`;
  const rest: SQL[] = filters.fits ? [fits(visit.userId)] : [];
  switch (orderOf(filters)) {
    case "date": {
      if (filters.open) rest.push(isOpen);
      if (filters.free) rest.push(isFree);
      if (filters.region) rest.push(isForRegion);
      // If only the last day is given, the range starts now: past years aren't meant.
      const bounds = { first: (from ?? visit.now).getTime(), last: (to?.getTime() ?? FOREVER) - 1 };
      const order = byTime(tournamentDate, (row) => row.tournamentDate, bounds, cursor);
      return { order, streams: [and(scope, order.walk.from)], rest };
    }
    case "deadline": {
      if (filters.free) rest.push(isFree);
      if (filters.region) rest.push(isForRegion);
      const bounds = { first: now + 1, last: FOREVER };
      const order = byTime(registrationDeadline, (row) => row.registrationDeadline, bounds, cursor);
      // A literal, not a parameter, so that SQLite uses the partial index.
      return { order, streams: [and(scope, sql`state = 'open'`, order.walk.from)], rest };
    }
    case "newest": {
      const order = newest(cursor);
      const { from: place } = order.walk;
      if (filters.region) {
        if (filters.free) rest.push(isFree);
        const forRegion = (is: SQL) => and(scope, is, place);
        return { order, streams: [forRegion(eq(region, filters.region)), forRegion(isNull(region))], rest };
      }
      return { order, streams: [and(scope, filters.free ? sql`entry_fee = 0` : undefined, place)], rest };
    }
  }
}

/** Number of open tournaments, from the soonest deadline on, that are checked for one that a player can enter. */
const NEXT_SEARCHED = 40;

/**
 * Finds the next tournament for a player: the one whose registration ends first, among those that are open to their
 * rank, have a free spot, and that they haven't entered. Undefined if there is none among the next few.
 */
export function findNextTournament(db: Database, { userId, now }: Visit) {
  const { id, title, state, tournamentDate, registrationDeadline, hiddenAt } = tournaments;
  const { currentParticipants, maxParticipants, teamSize } = tournaments;
  const next = db
    .select({ id })
    .from(tournaments)
    // Literals, not parameters, so that SQLite uses the partial index.
    .where(and(LISTED, sql`${state} = 'open'`, gt(registrationDeadline, now)))
    .orderBy(registrationDeadline, id)
    .limit(NEXT_SEARCHED)
    .as("next");
  return (
    db
      .select({ id, title, tournamentDate, currentParticipants, maxParticipants, teamSize })
      .from(next)
      // SQLite keeps the order of a CROSS JOIN's tables, so the rows come in the order of `next`.
      .crossJoin(tournaments)
      .where(
        and(
          eq(id, next.id),
          isNull(hiddenAt),
          sql`${currentParticipants} < ${maxParticipants}`,
          fits(userId),
          isShownDespiteBlocks(userId),
          sql`coalesce(${entryOf(userId).getSQL()}, 'absent') = 'absent'`,
        ),
      )
      .limit(1)
      .get()
  );
}

/** Number of a player's most recently announced tournaments that are searched for unfinished ones. */
const LATEST_ENTERED = 20;
/** Number of a player's own tournaments shown beside LFG. */
const OWN_SHOWN = 2;

/**
 * Lists tournaments that a player is in and that aren't over: entered, checked in, or on the waiting list of one that
 * hasn't started. Returns those whose date is nearest to now, so that one that was never started or never ended doesn't
 * hide today's.
 */
export async function listUnfinished(db: Database, { userId, now }: Visit) {
  const { id, title, state, tournamentDate, registrationDeadline, checkInMinutes, hiddenAt } = tournaments;
  const latest = db
    .select({ id: tournamentPlayers.tournamentId })
    .from(tournamentPlayers)
    .where(eq(tournamentPlayers.userId, userId))
    .orderBy(desc(tournamentPlayers.tournamentId))
    .limit(LATEST_ENTERED)
    .as("latest");
  const found = await db
    .select({ id, title, state, tournamentDate, registrationDeadline, checkInMinutes, entry: entryOf(userId) })
    .from(latest)
    .crossJoin(tournaments)
    .where(
      and(
        eq(id, latest.id),
        isNull(hiddenAt),
        // The unary plus keeps SQLite from walking all unfinished tournaments.
        sql`+${state} IN ('open', 'running')`,
      ),
    )
    .limit(LATEST_ENTERED);
  const distance = (row: { tournamentDate: Date }) => Math.abs(row.tournamentDate.getTime() - now.getTime());
  return found
    .filter(({ entry, state }) => entry === "entered" || entry === "here" || (entry === "waiting" && state === "open"))
    .sort((one, other) => distance(one) - distance(other))
    .slice(0, OWN_SHOWN);
}

/** Number of tournaments whose titles a search looks through. */
export const TITLES_SEARCHED = 200;

/**
 * Finds tournaments by words of their titles, ignoring case and accents. Upcoming and running ones come before those
 * that are over; in both groups, the viewer's own unlisted ones come first, and newer ones before older ones. Looks
 * through the newest of the viewer's list, and the viewer's own unlisted ones. Titles are compared here, because SQLite
 * can't fold letters.
 * @returns the tournaments, and as `isCut` whether there may be older ones that were not looked through
 */
export async function findTournaments(db: Database, search: string, { userId }: Pick<Visit, "userId">) {
  const columns = {
    id: tournaments.id,
    title: tournaments.title,
    state: tournaments.state,
    tournamentDate: tournaments.tournamentDate,
    host: nameColumns,
  };
  const newest = (scope: SQL | undefined, limit: number) =>
    db
      .select(columns)
      .from(tournaments)
      .leftJoin(profiles, eq(profiles.userId, tournaments.userId))
      .where(and(scope, isNull(tournaments.hiddenAt)))
      .orderBy(desc(tournaments.id))
      .limit(limit);
  const [listed, unlisted] = await Promise.all([
    newest(and(LISTED, isShownDespiteBlocks(userId)), TITLES_SEARCHED),
    newest(and(eq(tournaments.userId, userId), sql`${tournaments.isListed} = 0`), MAX_UNLISTED),
  ]);
  const words = foldForSearch(search).split(" ");
  const found = [...unlisted, ...listed].filter(({ title }) => {
    const text = foldForSearch(title);
    return words.every((word) => text.includes(word));
  });
  const isOver = ({ state }: (typeof found)[number]) => state === "finished" || state === "cancelled";
  return {
    found: found.sort((a, b) => Number(isOver(a)) - Number(isOver(b))),
    isCut: listed.length === TITLES_SEARCHED,
  };
}

/** True if a player's rank is within the limits. A player without a rank may play only if there are no limits. */
const fits = (userId: string) => {
  const rank = sql`(SELECT ${profiles.currentRank} FROM ${profiles} WHERE ${profiles.userId} = ${userId})`;
  const { minRank, maxRank } = tournaments;
  return sql`(${minRank} IS NULL OR ${minRank} <= ${rank}) AND (${maxRank} IS NULL OR ${maxRank} >= ${rank})`;
};

interface ListOrder {
  column: SQLiteColumn;
  walk: Walk;
  placeOf(row: TournamentCardRow): Place;
  /**
   * True if a tournament passes the filter that sets the order and lies within the range of index entries to check.
   * @param end SQL for the last place of the range, which yields NULL if the entries end before that; null if all
   *   entries may be checked
   */
  within(end: SQL | null): SQL | undefined;
}

function newest(cursor: Cursor | null): ListOrder {
  const walk = planWalk(cursor, { id: tournaments.id });
  return {
    column: tournaments.id,
    walk,
    placeOf: ({ id }) => ({ key: null, id }),
    within(end) {
      if (!end) return undefined;
      // Ids are hexadecimal, so all of them sort after '' and before 'g'.
      return walk.isUp
        ? sql`${tournaments.id} <= coalesce(${end}, 'g')`
        : sql`${tournaments.id} >= coalesce(${end}, '')`;
    },
  };
}

/** Orders by a date, earliest first. @param bounds the first and the last moment of the list */
function byTime(
  column: SQLiteColumn,
  timeOf: (row: TournamentCardRow) => Date,
  bounds: { first: number; last: number },
  cursor: Cursor | null,
): ListOrder {
  const walk = planWalk(cursor, { key: column, id: tournaments.id }, "asc");
  const { isUp } = walk;
  // With a cursor, the cursor bounds the walk on this side; the unary plus keeps SQLite from using this bound for the
  // index.
  const near = cursor ? sql`+${column}` : column;
  const [lower, upper] = isUp ? [column, near] : [near, column];
  return {
    column,
    walk,
    placeOf: (row) => ({ key: timeOf(row).getTime(), id: row.id }),
    within: (end) =>
      sql`${lower} >= ${isUp && end ? sql`coalesce(${end}, ${bounds.first})` : bounds.first} AND
        ${upper} <= ${!isUp && end ? sql`coalesce(${end}, ${bounds.last})` : bounds.last}`,
  };
}
