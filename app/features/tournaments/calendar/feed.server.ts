import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import { calendarFeeds, tournamentOrganisers, tournamentPlayers, tournaments, users } from "#db/schema";
import { createToken } from "~/platform/crypto/crypto.server";
import { excerpt } from "~/platform/pages/public-page";
import { type CalendarEvent, calendarFile } from "./ical";

const feed = alias(calendarFeeds, "feed");
const holder = alias(users, "holder");

/** Maximum number of tournaments of each kind in a feed: played in, hosted, organised. The newest are kept. */
const FEED_SIZE = 100;

const eventColumns = {
  id: tournaments.id,
  title: tournaments.title,
  description: tournaments.description,
  state: tournaments.state,
  tournamentDate: tournaments.tournamentDate,
  endedAt: tournaments.endedAt,
  version: tournaments.version,
  updatedAt: tournaments.updatedAt,
};

type EventRow = Awaited<ReturnType<typeof findEvent>> & {};

/** Returns a tournament's values for its calendar file; undefined if the tournament doesn't exist or is hidden. */
export const findEvent = (db: Database, id: string) =>
  db
    .select(eventColumns)
    .from(tournaments)
    .where(and(eq(tournaments.id, id), isNull(tournaments.hiddenAt)))
    .get();

/**
 * Lists the tournaments that a player plays in or runs.
 * @param token from the feed's address
 * @returns null if no feed has that token, or if its player is suspended or is about to be deleted
 */
export async function findFeed(db: Database, token: string): Promise<EventRow[] | null> {
  const owner = sql`(
    SELECT ${feed.userId} FROM ${calendarFeeds} AS ${feed} JOIN ${users} AS ${holder} ON ${holder.id} = ${feed.userId}
    WHERE ${feed.token} = ${token} AND ${staysOpen(holder)}
  )`;
  const own = sql`
    SELECT * FROM (SELECT ${tournamentPlayers.tournamentId} FROM ${tournamentPlayers}
      WHERE ${tournamentPlayers.userId} = ${owner} ORDER BY ${tournamentPlayers.tournamentId} DESC LIMIT ${FEED_SIZE})
    UNION ALL SELECT * FROM (SELECT ${tournaments.id} FROM ${tournaments} WHERE ${tournaments.userId} = ${owner}
      ORDER BY ${tournaments.id} DESC LIMIT ${FEED_SIZE})
    UNION ALL SELECT * FROM (SELECT ${tournamentOrganisers.tournamentId} FROM ${tournamentOrganisers}
      WHERE ${tournamentOrganisers.userId} = ${owner} ORDER BY ${tournamentOrganisers.tournamentId} DESC
      LIMIT ${FEED_SIZE})`;
  const [feeds, events] = await Promise.all([
    db.select({ userId: calendarFeeds.userId }).from(calendarFeeds).where(sql`${calendarFeeds.userId} = ${owner}`),
    db
      .select(eventColumns)
      .from(tournaments)
      .where(and(sql`${tournaments.id} IN (${own})`, isNull(tournaments.hiddenAt))),
  ]);
  return feeds.length > 0 ? events : null;
}

/** Returns a player's feed; undefined if they have none. */
export const findOwnFeed = (db: Database, userId: string) =>
  db.select({ token: calendarFeeds.token }).from(calendarFeeds).where(eq(calendarFeeds.userId, userId)).get();

/** Builds the statement that creates a player's feed, or gives it a new address. The old address stops working. */
export function renewFeed(db: Database, userId: string, now: Date) {
  const token = createToken();
  return db
    .insert(calendarFeeds)
    .values({ userId, token, createdAt: now })
    .onConflictDoUpdate({ target: calendarFeeds.userId, set: { token, createdAt: now } });
}

/** Returns the statement that deletes a player's feed. */
export const endFeed = (db: Database, userId: string) =>
  db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));

/** Builds the response that serves a calendar of tournaments. @param fileName the name under which browsers save it */
export function calendarResponse(
  rows: readonly EventRow[],
  { name, fileName, origin, now }: { name: string; fileName: string; origin: string; now: Date },
): Response {
  const events = rows.map((row): CalendarEvent => {
    const url = `${origin}/tournaments/${row.id}`;
    return {
      uid: `${row.id}@lineup`,
      sequence: row.version,
      changed: row.updatedAt,
      start: row.tournamentDate,
      end: row.state === "finished" ? row.endedAt : null,
      title: row.title,
      description: `${excerpt(row.description, 300)}\n${url}`,
      url,
      cancelled: row.state === "cancelled",
    };
  });
  return new Response(calendarFile(name, events, now), {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      // A feed's address is private to its owner.
      "Cache-Control": "private, max-age=300",
      "X-Robots-Tag": "noindex",
    },
  });
}
