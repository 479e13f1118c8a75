import { and, eq, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import {
  calendarFeeds,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
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

type EventRow = NonNullable<Awaited<ReturnType<typeof findEvent>>> & {
  /** 1 if the player's team only waits for a spot. */
  isTentative?: number;
};

/** Returns a tournament's values for its calendar file; undefined if the tournament doesn't exist or is hidden. */
export const findEvent = (db: Database, id: string) =>
  db
    .select(eventColumns)
    .from(tournaments)
    .where(and(eq(tournaments.id, id), isNull(tournaments.hiddenAt)))
    .get();

/**
 * Lists the tournaments that a player plays in or runs. A team that only waits for a spot doesn't play once the
 * tournament has started, nor does an absent one.
 * @param token from the feed's address
 * @returns null if no feed has that token, or if its player is suspended or is about to be deleted
 */
export async function findFeed(db: Database, token: string): Promise<EventRow[] | null> {
  const owner = sql`(
    SELECT ${feed.userId} FROM ${calendarFeeds} AS ${feed} JOIN ${users} AS ${holder} ON ${holder.id} = ${feed.userId}
    WHERE ${feed.token} = ${token} AND ${staysOpen(holder)}
  )`;
  const own = sql`(
    SELECT latest.tournament_id AS id, ${tournamentTeams.state} = 'waiting' AS waits
      FROM (SELECT ${tournamentPlayers.tournamentId}, ${tournamentPlayers.teamId} FROM ${tournamentPlayers}
        WHERE ${tournamentPlayers.userId} = ${owner} ORDER BY ${tournamentPlayers.tournamentId} DESC LIMIT ${FEED_SIZE}
      ) AS latest CROSS JOIN ${tournamentTeams} ON ${tournamentTeams.id} = latest.team_id
      WHERE ${tournamentTeams.state} <> 'absent'
    UNION ALL SELECT * FROM (SELECT ${tournaments.id}, 0 FROM ${tournaments} WHERE ${tournaments.userId} = ${owner}
      ORDER BY ${tournaments.id} DESC LIMIT ${FEED_SIZE})
    UNION ALL SELECT * FROM (SELECT ${tournamentOrganisers.tournamentId}, 0 FROM ${tournamentOrganisers}
      WHERE ${tournamentOrganisers.userId} = ${owner} ORDER BY ${tournamentOrganisers.tournamentId} DESC
      LIMIT ${FEED_SIZE})
  ) AS own`;
  const [feeds, events] = await Promise.all([
    db.select({ userId: calendarFeeds.userId }).from(calendarFeeds).where(sql`${calendarFeeds.userId} = ${owner}`),
    db
      .select({ ...eventColumns, isTentative: sql<number>`own.waits` })
      .from(own)
      .crossJoin(tournaments)
      .where(
        and(
          sql`${tournaments.id} = own.id AND (own.waits = 0 OR ${tournaments.state} = 'open')`,
          isNull(tournaments.hiddenAt),
        ),
      ),
  ]);
  // If a tournament has several rows, the last one counts. Tournaments that the player runs come last, because they are
  // certain even if the player's own team waits.
  return feeds.length > 0 ? [...new Map(events.map((event) => [event.id, event])).values()] : null;
}

/** Selects a player's feed: a list of one, or an empty one. */
export const findOwnFeed = (db: Database, userId: string) =>
  db.select({ token: calendarFeeds.token }).from(calendarFeeds).where(eq(calendarFeeds.userId, userId));

/**
 * Creates a player's feed, gives it a new address (`renew`) or deletes it (`end`). The old address then stops working.
 * @param shown the token of the address that the player has seen, the only one that may be replaced or deleted; empty
 *   if there was none, null on pages that were opened before their form had this field
 * @returns false if `shown` was given but the feed has another address by now, or none that could be renewed. Creating
 *   a feed always succeeds: if there is one already, it keeps its address
 */
export async function changeFeed(
  { db, now }: Pick<RequestContext, "db" | "now">,
  userId: string,
  shown: string | null,
  change: "renew" | "end",
): Promise<boolean> {
  const { userId: owner, token } = calendarFeeds;
  const fresh = { token: createToken(), createdAt: now };
  const isShown = and(eq(owner, userId), shown === null ? undefined : eq(token, shown));
  const created = db.insert(calendarFeeds).values({ userId, ...fresh });
  const { left } = await transact(db, {
    change:
      change === "end"
        ? db.delete(calendarFeeds).where(isShown)
        : shown
          ? db.update(calendarFeeds).set(fresh).where(isShown)
          : shown === null
            ? created.onConflictDoUpdate({ target: owner, set: fresh })
            : // A link that the page didn't show may be in use, so it stays.
              created.onConflictDoNothing(),
    left: findOwnFeed(db, userId),
  });
  return change === "end" ? !left[0] : !shown || left[0]?.token === fresh.token;
}

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
      status: row.state === "cancelled" ? "CANCELLED" : row.isTentative ? "TENTATIVE" : "CONFIRMED",
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
