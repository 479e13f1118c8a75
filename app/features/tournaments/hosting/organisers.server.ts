import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { staysOpen } from "#db/accounts";
import type { Database } from "#db/client";
import {
  conversationMembers,
  conversations,
  profiles,
  tournamentEvents,
  tournamentOrganisers,
  tournaments,
  users,
} from "#db/schema";
import { columnsOf, eventActions } from "#db/sql";
import { transact } from "#db/statements";
import { blockBetween } from "~/features/blocks/shared/blocks.server";
import { takesMessagesFrom } from "~/features/messages/shared/contact-policy.server";
import { forgetNews, notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import type { NamedPlayer } from "~/features/players/rules";
import { DAY } from "~/platform/dates/durations";
import { leaveMatchChats, listChats } from "../match/match-chats.server";
import { hostedBy, isRunByOthers, organisedBy } from "../shared/access.server";
import { type ActorStamp, didLately, logEvent, newVersion } from "../shared/changes.server";
import { resolveNewsOf } from "../shared/tournament-news.server";
import type { OrganiserChange } from "./schema";

const account = alias(users, "account");
const helper = alias(tournamentOrganisers, "helper");
const named = alias(profiles, "named");
const other = alias(conversationMembers, "other");
const event = alias(tournamentEvents, "event");
const leftRow = alias(tournaments, "left_tournament");
const talk = alias(conversations, "talk");

/** Number of players from the host's conversations suggested as organisers. */
const OFFERED = 12;
/** Maximum number of co-organisers of a tournament. */
const MAX_ORGANISERS = 10;
/** How long after a player has stepped down the host can't add them again, in milliseconds. */
const READD_AFTER = 30 * DAY;

/**
 * True if a player has an active account, accepts messages from the host, and there is no block between the two. The
 * role brings news and a calendar entry with the host's title, so it can be as unwanted as a message.
 * @param playerId the player, as an SQL expression
 * @param userId the host
 */
const isReachable = (playerId: SQL, userId: string) => sql`EXISTS (
  SELECT 1 FROM ${users} AS ${account}
  WHERE ${account.id} = ${playerId} AND ${staysOpen(account)}
) AND NOT ${blockBetween(playerId, userId)} AND ${takesMessagesFrom(playerId, sql`${userId}`)}`;

/**
 * True if a player has recently stepped down as an organiser of this tournament, or of another by the same host.
 * Otherwise a host could add them again and again.
 * @param playerId the player, as an SQL expression
 */
const hasSteppedDown = (playerId: SQL, { tournamentId, userId, now }: ActorStamp) => sql`EXISTS (
  SELECT 1 FROM ${tournamentEvents} AS ${event} JOIN ${tournaments} AS ${leftRow} ON ${leftRow.id} = ${event.tournamentId}
  WHERE ${event.actorId} = ${playerId} AND ${event.action} = ${eventActions("organiser-removed")}
    AND json_extract(${event.details}, '$.player') = ${playerId} AND ${event.createdAt} > ${now.getTime() - READD_AFTER}
    AND (${leftRow.id} = ${tournamentId} OR ${leftRow.userId} = ${userId})
)`;

/** True if the actor has removed this player, who may be the actor, within the last hour. */
const hasJustRemoved = (playerId: string, stamp: ActorStamp) =>
  didLately(stamp, "organiser-removed", sql`${tournamentEvents.details} ->> '$.player' = ${playerId}`);

/** Whether a player has stepped down as an organiser of this tournament within the last hour. */
export const hasJustSteppedDown = async (db: Database, stamp: ActorStamp): Promise<boolean> =>
  (await db.all(sql`SELECT 1 WHERE ${hasJustRemoved(stamp.userId, stamp)}`)).length > 0;

/**
 * Finds the player that a host has named: by id, as lists submit it, or by Riot ID, which counts only if verified,
 * because anyone can enter any Riot ID in their profile.
 * @returns undefined if there is none, or if a player to be added can't be reached (`isReachable`)
 */
export async function findNamedPlayer(
  db: Database,
  { intent, riotId, playerId }: OrganiserChange,
  userId: string,
): Promise<NamedPlayer | undefined> {
  const isNamed = playerId ? sql`${named.userId} = ${playerId}` : sql`${named.riotId} = ${riotId ?? ""} COLLATE NOCASE`;
  const players = await db.all<NamedPlayer>(sql`
    SELECT ${named.userId} AS userId, ${named.riotGameName} AS riotGameName, ${named.riotId} AS riotId
    FROM ${profiles} AS ${named}
    WHERE ${isNamed} AND ${intent === "add" ? isReachable(sql`${named.userId}`, userId) : sql`TRUE`}
      AND ${playerId ? sql`TRUE` : sql`${named.riotVerifiedAt} IS NOT NULL`}
    LIMIT 1`);
  return players[0];
}

/** Lists a player's most recent conversation partners who don't run the tournament yet. */
export async function listOffered(db: Database, stamp: ActorStamp): Promise<NamedPlayer[]> {
  const { tournamentId, userId } = stamp;
  return db.all<NamedPlayer>(sql`
    SELECT ${named.userId} AS userId, ${named.riotGameName} AS riotGameName, ${named.riotId} AS riotId
    FROM (
      SELECT ${conversationMembers.conversationId}, ${conversationMembers.listedAt} FROM ${conversationMembers}
      WHERE ${conversationMembers.userId} = ${userId} ORDER BY ${conversationMembers.listedAt} DESC,
        ${conversationMembers.conversationId} DESC LIMIT ${2 * OFFERED}
    ) AS own
    JOIN ${conversations} AS ${talk} ON ${talk.id} = own.conversation_id AND ${talk.pairKey} IS NOT NULL
    JOIN ${conversationMembers} AS ${other} ON ${other.conversationId} = own.conversation_id
      AND ${other.userId} <> ${userId}
    JOIN ${profiles} AS ${named} ON ${named.userId} = ${other.userId}
    WHERE ${isReachable(sql`${named.userId}`, userId)} AND NOT ${hasSteppedDown(sql`${named.userId}`, stamp)}
      AND NOT EXISTS (SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
        AND ${tournaments.userId} = ${named.userId})
      AND NOT EXISTS (
        SELECT 1 FROM ${tournamentOrganisers} AS ${helper}
        WHERE ${helper.tournamentId} = ${tournamentId} AND ${helper.userId} = ${named.userId}
      )
    LIMIT ${OFFERED}`);
}

/** Lists a tournament's co-organisers in the order in which they were added. */
export async function listCoOrganisers(db: Database, tournamentId: string) {
  const organisers = await db
    .select({
      userId: tournamentOrganisers.userId,
      addedAt: tournamentOrganisers.addedAt,
      riotGameName: profiles.riotGameName,
      riotId: profiles.riotId,
    })
    .from(tournamentOrganisers)
    .leftJoin(profiles, eq(profiles.userId, tournamentOrganisers.userId))
    .where(eq(tournamentOrganisers.tournamentId, tournamentId))
    .limit(MAX_ORGANISERS);
  // Sorted here, because no index has this order. The limit leaves nobody out.
  return organisers.sort((one, two) => one.addedAt.getTime() - two.addedAt.getTime());
}

/**
 * Makes a player an organiser and notifies them. Only someone with the host's rights may do so, and not while the
 * tournament is hidden: a new organiser would get its title and could open its pages.
 * @returns true if the tournament's latest addition of an organiser was this one, now or in an earlier request whose
 *   response may have been lost. If false, nothing changed: the player has been an organiser for longer, can't be
 *   reached or has stepped down lately, the limit is reached, or the tournament is hidden or isn't this host's
 */
export async function addOrganiser(db: Database, player: NamedPlayer, stamp: ActorStamp): Promise<boolean> {
  const { tournamentId, userId, now } = stamp;
  const { added } = await transact(db, {
    // Comes first, because the statements below check through `changes()` whether it had an effect.
    change: db.run(sql`
      UPDATE ${tournaments} SET ${newVersion(now.getTime())}
      WHERE ${tournaments.id} = ${tournamentId} AND ${hostedBy(userId)} AND ${tournaments.hiddenAt} IS NULL
        AND coalesce(${tournaments.userId}, '') <> ${player.userId} AND ${isReachable(sql`${player.userId}`, userId)}
        AND NOT ${hasSteppedDown(sql`${player.userId}`, stamp)}
        AND (SELECT count(*) FROM ${tournamentOrganisers}
          WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}) < ${MAX_ORGANISERS}
        AND NOT EXISTS (
          SELECT 1 FROM ${tournamentOrganisers} WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}
            AND ${tournamentOrganisers.userId} = ${player.userId}
        )`),
    add: db.run(sql`
      INSERT INTO ${tournamentOrganisers} ${columnsOf(tournamentOrganisers, "tournamentId", "userId", "addedAt")}
      SELECT ${tournamentId}, ${player.userId}, ${now.getTime()} WHERE changes() > 0`),
    event: logEvent(db, stamp, "organiser-added", { player: player.userId }),
    tell: notify(db, {
      kind: "tournament-organiser",
      subject: subjectOf("tournament-organiser", tournamentId),
      data: sql`json_object('tournament', to_tell.title)`,
      recipients: sql`SELECT ${player.userId} AS user_id, ${tournaments.title} FROM ${tournaments}
        WHERE ${tournaments.id} = ${tournamentId} AND changes() > 0`,
      now: now.getTime(),
    }),
    added: db.all(sql`
      SELECT 1 FROM ${tournamentOrganisers}
      WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId} AND ${tournamentOrganisers.userId} = ${player.userId}
        AND (${userId}, ${player.userId}) = (
          SELECT ${event.actorId}, ${event.details} ->> '$.player' FROM ${tournamentEvents} AS ${event}
          WHERE ${event.tournamentId} = ${tournamentId} AND ${event.action} = ${eventActions("organiser-added")}
          ORDER BY ${event.id} DESC LIMIT 1
        )`),
  });
  return added.length > 0;
}

/**
 * Builds the statements that remove a player from the organisers, and the news that concerns only organisers.
 * @param may a further condition on `tournaments`
 * @param action the event to log. `organiser-left` doesn't count as stepping down: the player may come back
 * @returns the statements: `changed` yields the tournament if the player was removed
 */
export function buildOrganiserRemoval(
  db: Database,
  playerId: string,
  stamp: ActorStamp,
  may: SQL,
  action: "organiser-removed" | "organiser-left",
) {
  const { tournamentId, now } = stamp;
  const { tournamentId: tournament, userId: player } = tournamentOrganisers;
  return {
    // Comes first, because the statements below check through `changes()` whether it had an effect.
    changed: db.all<{ id: string }>(sql`
      UPDATE ${tournaments} SET ${newVersion(now.getTime())}
      WHERE ${tournaments.id} = ${tournamentId} AND ${may} AND EXISTS (
        SELECT 1 FROM ${tournamentOrganisers} WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}
          AND ${tournamentOrganisers.userId} = ${playerId}
      )
      RETURNING ${tournaments.id}`),
    remove: db
      .delete(tournamentOrganisers)
      .where(and(eq(tournament, tournamentId), eq(player, playerId), sql`changes() > 0`)),
    event: logEvent(db, stamp, action, { player: playerId }),
    forgetNews: forgetNews(
      db,
      sql`SELECT ${playerId} WHERE changes() > 0`,
      subjectOf("tournament-organiser", tournamentId),
    ),
    // Here, `changes()` would refer to the statement above.
    outdated: resolveNewsOf(
      db,
      "organiser",
      sql`SELECT ${playerId} FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
        AND NOT ${organisedBy(playerId)}`,
      tournamentId,
      now.getTime(),
    ),
  };
}

/**
 * Removes a player from the organisers and from the chats that came with the role. The host and the player themselves
 * may do so, unless nobody whose account stays would be left to run the tournament.
 * @returns the chats whose open pages must reconnect; null if the player is still an organiser. If an earlier
 *   transaction of the same actor has removed the player within the last hour, these are all chats of the tournament's
 *   matches: its response may have been lost, and the player's memberships, which would name the chats, are gone
 */
export async function removeOrganiser(
  db: Database,
  player: Pick<NamedPlayer, "userId">,
  stamp: ActorStamp,
): Promise<readonly { id: string }[] | null> {
  const { tournamentId, userId } = stamp;
  const may = sql`${player.userId === userId ? sql`1` : hostedBy(userId)}
    AND (${tournaments.state} NOT IN ('open', 'running') OR ${isRunByOthers(player.userId)})`;
  const isOrganiser = organisedBy(player.userId);
  const { earlier, matchChats, organised } = await transact(db, {
    earlier: listChats(db, tournamentId, sql`NOT ${isOrganiser} AND ${hasJustRemoved(player.userId, stamp)}`),
    removal: buildOrganiserRemoval(db, player.userId, stamp, may, "organiser-removed"),
    matchChats: leaveMatchChats(db, player.userId, sql`${tournaments.id} = ${tournamentId} AND NOT ${isOrganiser}`),
    organised: db
      .select({ id: tournaments.id })
      .from(tournaments)
      .where(and(eq(tournaments.id, tournamentId), isOrganiser)),
  });
  return organised.length > 0 ? null : [...earlier, ...matchChats.chats];
}
