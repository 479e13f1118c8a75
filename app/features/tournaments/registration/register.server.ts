import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  profiles,
  tournamentInvitations,
  tournamentPlayers,
  tournamentSeekers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { nameOf } from "~/features/players/shared/name.server";
import { rankAt } from "~/game/ranks";
import type { RequestContext } from "~/platform/context";
import { createToken } from "~/platform/crypto/crypto.server";
import { forgetUsesOfEach, prepareUsesOfEach } from "~/platform/limits/uses.server";
import { foldForSearch } from "~/platform/lists/search-text";
import { selectOrganisers } from "../shared/access.server";
import { bumpVersion, detailsOfTeam, logEvent } from "../shared/changes.server";
import { deleteInvitations, invitation } from "../shared/invitations.server";
import { offers } from "../terms.server";
import { isFree, mayPlay } from "./conditions.server";
import { type Ineligibility, obstacleOf, WAITING_TEAMS } from "./rules";
import { moveUp } from "./waiting-list.server";

const otherTeam = alias(tournamentTeams, "other_team");
const eligible = alias(profiles, "eligible");
const first = alias(tournamentPlayers, "first");
const made = alias(tournamentTeams, "made");
const mine = alias(tournamentPlayers, "mine");
const named = alias(tournamentTeams, "named");
const own = alias(tournamentTeams, "own");
const t = alias(tournaments, "t");
const waiter = alias(tournamentTeams, "waiter");

/** SQL condition that the waiting list of the tournament `t` is full. */
const isWaitingListFull = sql`EXISTS (
  SELECT 1 FROM ${tournamentTeams} AS ${waiter} WHERE ${waiter.tournamentId} = ${t.id} AND ${waiter.state} = 'waiting'
  LIMIT 1 OFFSET ${WAITING_TEAMS - 1}
)`;

/** A registration, as its form submits it. */
export interface Registration {
  /** The team's id. */
  id: string;
  tournamentId: string;
  userId: string;
  /** Null in solo tournaments: the team then takes the player's name. */
  name: string | null;
  /** The terms that the player has read (`writeTerms`). */
  terms?: string | undefined;
}

export type RegisterOutcome =
  /** `concerned` are the player, who may have lost news of invitations, and the organisers. */
  | { outcome: "registered"; teamId: string; isWaiting: boolean; hasCheckIn: boolean; concerned: string[] }
  | { outcome: "missing" }
  /** The tournament has started, is over, or was cancelled. */
  | { outcome: "not-open" }
  | { outcome: "late" }
  /** The host has changed the terms since the player read them, or offers less. */
  | { outcome: "changed" }
  /** All spots are taken, and so are all places on the waiting list. */
  | { outcome: "full" }
  /** The player is already in a team of the tournament; perhaps this form has registered it, under another name. */
  | { outcome: "has-team"; teamId: string; team: string }
  | ({ outcome: "obstacle" } & Ineligibility)
  | { outcome: "name-taken" }
  /** Another team already has the form's id. */
  | { outcome: "used" }
  | Limited;

/**
 * Registers a team with its captain. The INSERT itself checks every condition, so that nobody registers twice, late, or
 * under a taken name. The team joins the waiting list and moves up immediately if a spot is free. The organisers are
 * notified. Takes one transaction; submitting the same form twice registers once, unless its name differs.
 */
export async function registerTeam(
  writing: Writing & Pick<RequestContext, "env">,
  { id, tournamentId, userId, name, terms }: Registration,
): Promise<RegisterOutcome> {
  const { db } = writing;
  const now = writing.now.getTime();
  const me = sql`${userId}`;
  // Players' names needn't be unique, so solo players are distinguished by their ids.
  const nameKey = name === null ? userId : foldForSearch(name);
  const justNow = sql`EXISTS (
    SELECT 1 FROM ${tournamentTeams} AS ${made} JOIN ${tournamentPlayers} AS ${first} ON ${first.teamId} = ${made.id}
    WHERE ${made.id} = ${id} AND ${made.tournamentId} = ${tournamentId} AND ${made.captainId} = ${userId}
      AND ${made.createdAt} = ${now} AND ${first.joinedAt} = ${now}
  )`;
  const isAsRead = offers(t, terms);
  const newsKey = sql`${`${userId}:${tournamentId}`}`;
  const news = prepareUsesOfEach(writing, "registrationNews", sql`SELECT ${newsKey} AS subject WHERE ${justNow}`);
  const { found, organisers, limits } = await transact(db, {
    team: db.run(sql`
      INSERT INTO ${tournamentTeams} ${columnsOf(
        tournamentTeams,
        "id",
        "tournamentId",
        "name",
        "nameKey",
        "captainId",
        "inviteToken",
        "state",
        "listedAt",
        "createdAt",
      )}
      SELECT ${id}, ${t.id}, coalesce(${name}, ${nameOf(me)}), ${nameKey},
        ${userId}, ${createToken()}, 'waiting', ${now}, ${now}
      FROM ${tournaments} AS ${t}
      WHERE ${t.id} = ${tournamentId} AND ${t.state} = 'open' AND ${t.hiddenAt} IS NULL
        AND ${t.registrationDeadline} > ${now} AND ${isAsRead}
        AND ${mayPlay(me)} AND ${isFree(me)} AND (${t.teamSize} = 1) = (${name === null ? 1 : 0})
        AND NOT ${isLimited(userId, "joining", now)} AND NOT ${isWaitingListFull}
      ON CONFLICT DO NOTHING`),
    captain: db.run(sql`
      INSERT INTO ${tournamentPlayers} ${columnsOf(tournamentPlayers, "tournamentId", "userId", "teamId", "joinedAt")}
      SELECT ${made.tournamentId}, ${made.captainId}, ${made.id}, ${now} FROM ${tournamentTeams} AS ${made}
      WHERE ${made.id} = ${id} AND ${made.tournamentId} = ${tournamentId} AND ${made.captainId} = ${userId}
        AND ${made.createdAt} = ${now}
      ON CONFLICT DO NOTHING`),
    flag: raiseFlags(writing, { kind: "team", id, tournamentId }, { name }, userId),
    search: endSearch(db, tournamentId, userId, now),
    version: bumpVersion(db, tournamentId, justNow, now),
    event: logEvent(db, { tournamentId, userId, now: writing.now }, "registered", detailsOfTeam(id), justNow),
    tell: notify(db, {
      kind: "tournament-registered",
      subject: subjectOf("tournament", tournamentId),
      data: sql`json_object('team', to_tell.team, 'tournament', to_tell.tournament)`,
      by: sql`${userId}`,
      recipients: sql`
        SELECT organiser.userId AS user_id, ${made.name} AS team, ${t.title} AS tournament
        FROM (${selectOrganisers(sql`${tournamentId}`)}) AS organiser
        JOIN ${tournamentTeams} AS ${made} ON ${made.id} = ${id}
          JOIN ${tournaments} AS ${t} ON ${t.id} = ${made.tournamentId}
        WHERE organiser.userId <> ${userId} AND ${justNow} AND ${news.hasUsesLeft(newsKey)}`,
      now,
    }),
    countNews: news.count,
    moveUp: moveUp(db, tournamentId, writing.now, id),
    organisers: db.all<{ userId: string }>(selectOrganisers(sql`${tournamentId}`)),
    limits: readLimit(db, userId, "joining", now),
    found: db.all<RegistrationRow>(sql`
      SELECT ${t.state} AS state, ${t.registrationDeadline} AS deadline, ${t.minRank} AS minRank,
        ${t.maxRank} AS maxRank, ${t.checkInMinutes} AS checkInMinutes,
        ${own.id} AS teamId, ${own.name} AS team, ${own.captainId} AS captainId, ${own.state} AS teamState,
        ${eligible.riotVerifiedAt} AS verifiedAt, ${eligible.currentRank} AS rank,
        EXISTS (
          SELECT 1 FROM ${tournamentTeams} AS ${named} WHERE ${named.tournamentId} = ${t.id}
            AND ${named.nameKey} = ${nameKey}
        ) AS isNameTaken,
        ${isWaitingListFull} AS isFull, ${isAsRead} AS isAsRead
      FROM ${tournaments} AS ${t}
      LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${userId}
      LEFT JOIN ${tournamentPlayers} AS ${mine} ON ${mine.tournamentId} = ${t.id} AND ${mine.userId} = ${userId}
      LEFT JOIN ${tournamentTeams} AS ${own} ON ${own.id} = ${mine.teamId}
      WHERE ${t.id} = ${tournamentId} AND ${t.hiddenAt} IS NULL`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.teamId === id && row.captainId === userId && (name === null || row.team === name)) {
    return {
      outcome: "registered",
      teamId: id,
      isWaiting: row.teamState === "waiting",
      hasCheckIn: row.checkInMinutes > 0,
      // Doesn't check whether this transaction notified them: the response to an earlier one may have been lost.
      concerned: [userId, ...organisers.map((one) => one.userId)],
    };
  }
  if (row.teamId !== null) return { outcome: "has-team", teamId: row.teamId, team: row.team ?? "" };
  if (row.state !== "open") return { outcome: "not-open" };
  if (row.deadline <= now) return { outcome: "late" };
  if (!row.isAsRead) return { outcome: "changed" };
  const limited = limitedBy(limits);
  if (limited) return limited;
  const obstacle = readObstacle(row);
  if (obstacle) return { outcome: "obstacle", ...obstacle };
  if (row.isFull) return { outcome: "full" };
  return { outcome: row.isNameTaken ? "name-taken" : "used" };
}

interface RegistrationRow extends Eligibility, Pick<typeof tournaments.$inferSelect, "state" | "checkInMinutes"> {
  deadline: number;
  teamId: string | null;
  team: string | null;
  captainId: string | null;
  teamState: (typeof tournamentTeams.$inferSelect)["state"] | null;
  isNameTaken: number;
  isFull: number;
  isAsRead: number;
}

/** A tournament's requirements and a player's values, as read from the database. */
export interface Eligibility {
  minRank: number | null;
  maxRank: number | null;
  verifiedAt: number | null;
  rank: number | null;
}

/** Returns the reason why a player can't play in a tournament; null if there is none. */
export function readObstacle(row: Eligibility): Ineligibility | null {
  const limits = { minRank: rankAt(row.minRank), maxRank: rankAt(row.maxRank) };
  const rank = rankAt(row.rank);
  const obstacle = obstacleOf({ isVerified: row.verifiedAt !== null, rank }, limits);
  return obstacle && { obstacle, rank, limits };
}

/**
 * Returns the statements that end a player's search for a team once they have joined one: they leave the list of
 * players looking for a team, and their invitations are deleted with the news of them. Invitations that end this way
 * don't count against the limit on their news, which is meant for captains who invite the same player again and again.
 * So the next invitation is announced. `invitations.news` returns the player if they have lost news.
 */
export const endSearch = (db: Database, tournamentId: string, userId: string, now: number) => {
  const isIn = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${mine}
    WHERE ${mine.tournamentId} = ${tournamentId} AND ${mine.userId} = ${userId} AND ${mine.joinedAt} = ${now}
  )`;
  const ended = sql`${isIn} AND ${invitation.teamId} IN (SELECT ${otherTeam.id} FROM ${tournamentTeams} AS ${otherTeam}
    WHERE ${otherTeam.tournamentId} = ${tournamentId})`;
  return {
    seeker: db.run(
      sql`DELETE FROM ${tournamentSeekers} WHERE ${tournamentSeekers.tournamentId} = ${tournamentId}
        AND ${tournamentSeekers.userId} = ${userId} AND ${isIn}`,
    ),
    uses: forgetUsesOfEach(
      db,
      "invitationNews",
      sql`SELECT ${`${userId}:`} || ${invitation.teamId} AS subject FROM ${tournamentInvitations} AS ${invitation}
        WHERE ${invitation.userId} = ${userId} AND ${ended}`,
    ),
    invitations: deleteInvitations(db, [userId], ended),
  };
};
