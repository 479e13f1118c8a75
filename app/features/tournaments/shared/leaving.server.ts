import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentPlayers, tournamentSeekers, tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { forgetNews } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { tellUnread, userIdsOf } from "~/features/notifications/shared/unread.server";
import { FOREVER } from "~/platform/lists/keyset.server";
import { settleAll } from "~/platform/settle-all";
import { buildCancellation } from "../hosting/commands.server";
import { buildOrganiserRemoval } from "../hosting/organisers.server";
import { leaveMatchChats, tellMatchChats } from "../match/match-chats.server";
import { notifyTeam, type TeamActor } from "../registration/team/changes.server";
import { promoteSubstitute } from "../registration/team/roster.server";
import { dissolveTeam } from "../registration/withdraw.server";
import { isRunByOthers } from "./access.server";
import { heir, heirAmong } from "./captains.server";
import { bumpVersion, detailsOfTeam, logEvent } from "./changes.server";
import { selectPlaces, selectRoles } from "./commitments.server";
import { deleteInvitations, invitation } from "./invitations.server";
import { tellTournament } from "./tell-tournament.server";
import { passReportsOn, resolveNewsOf } from "./tournament-news.server";

const led = alias(tournamentTeams, "led");
const me = alias(tournamentPlayers, "me");
const player = alias(tournamentPlayers, "player");
const t = alias(tournaments, "t");
const team = alias(tournamentTeams, "team");

/** The reason that players read when a tournament is left without organisers. */
const HOST_GONE = "The host's account is gone.";
/** Number of times to search for tournaments to leave, because other requests may change them in the meantime. */
const TRIES = 4;

/** Called as soon as a tournament is left, because leaving others may fail. */
interface Listener {
  /**
   * Called once for each tournament, even if leaving it fails: the change may have been stored although its response
   * was lost.
   * @param notified the players who were notified, as far as we know
   */
  left: (tournamentId: string, notified: readonly string[]) => void;
  /** @param chats the match chats that the player has left */
  leftChats: (chats: readonly { id: string }[]) => void;
}

/**
 * Removes a suspended or deleted player from all tournaments that aren't over. Tournaments that nobody else runs are
 * cancelled. A captain's team passes to the player who joined first, starters before substitutes. A team without other
 * players withdraws before the start. In a running tournament it stays without a captain: its opponents' reports count
 * once the time to confirm them is over, and the organisers can forfeit its matches. The player acts for it again once
 * the account is back (`actingCaptain`). Each step checks its conditions in its own statements, and the search is
 * repeated until nothing is left. If a step fails, the others of its round are still carried out before the function
 * throws. Leaving twice has no further effect.
 * @param joinedBy leaves out everything that began for the player later, in milliseconds since 1970
 */
export async function leaveTournaments(
  db: Database,
  userId: string,
  now: Date,
  listener?: Listener,
  joinedBy = FOREVER,
): Promise<void> {
  const follow = async (tournamentId: string, steps: readonly Promise<string[]>[]) => {
    // Called even if a step fails: its change may have been stored although its response was lost.
    const outcomes = await Promise.allSettled(steps);
    listener?.left(
      tournamentId,
      outcomes.flatMap((one) => (one.status === "fulfilled" ? one.value : [])),
    );
    await settleAll(steps);
  };
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { roles, places, matchChats } = await transact(db, {
      roles: db.all<{ tournamentId: string }>(selectRoles(userId, joinedBy)),
      places: db.all<{ tournamentId: string; teamId: string; dissolvesTeam: number }>(selectPlaces(userId, joinedBy)),
      matchChats: leaveMatchChats(db, userId, sql`${tournaments.state} IN ('open', 'running')`, joinedBy),
      invitations: deleteInvitations(db, [userId], sql`${invitation.createdAt} <= ${joinedBy}`),
      searches: db.run(sql`DELETE FROM ${tournamentSeekers} WHERE ${tournamentSeekers.userId} = ${userId}
        AND ${tournamentSeekers.createdAt} <= ${joinedBy}`),
    });
    listener?.leftChats(matchChats.chats);
    if (roles.length === 0 && places.length === 0) return;
    // The player may both run a tournament and play in it.
    const steps = new Map<string, Promise<string[]>[]>();
    const add = (id: string, step: Promise<string[]>) => steps.set(id, [...(steps.get(id) ?? []), step]);
    for (const { tournamentId } of roles) add(tournamentId, leaveOrganisers(db, { tournamentId, userId, now }));
    for (const { tournamentId, teamId, dissolvesTeam } of places) {
      const actor = { tournamentId, teamId, userId };
      add(tournamentId, (dissolvesTeam ? dissolve : leaveBehind)(db, actor, now.getTime()));
    }
    await settleAll([...steps].map(([id, ofTournament]) => follow(id, ofTournament)));
  }
  throw new Error("Tournaments change faster than this player could leave them.");
}

/** Ends a player's role as an organiser, and cancels the tournament if nobody else runs it. */
async function leaveOrganisers(
  db: Database,
  stamp: { tournamentId: string; userId: string; now: Date },
): Promise<string[]> {
  const { userId } = stamp;
  const { cancelled } = await transact(db, {
    removal: buildOrganiserRemoval(db, userId, stamp, sql`1`, "organiser-left"),
    cancelled: buildCancellation(db, HOST_GONE, stamp, sql`NOT ${isRunByOthers(userId)}`),
  });
  return userIdsOf([...cancelled.notified, ...cancelled.tooLate]);
}

async function dissolve(db: Database, actor: TeamActor, now: number): Promise<string[]> {
  const gone = await dissolveTeam(db, actor, now);
  return gone.outcome === "done" ? gone.notified : [];
}

/**
 * Leaves a team to its other players. A substitute becomes a starter, even in a running tournament. If the team has no
 * other players, the player stays in it but is no longer its captain.
 */
async function leaveBehind(db: Database, actor: TeamActor, now: number): Promise<string[]> {
  const { tournamentId, teamId, userId } = actor;
  const otherPlayers = sql`FROM ${tournamentPlayers} AS ${heir}
    WHERE ${heir.teamId} = ${teamId} AND ${heir.userId} <> ${userId}`;
  // A player who is alone in a team of a running tournament only gives up the captaincy. The UPDATE of the captain
  // makes this condition false, so the DELETE after it removes nobody.
  const canLeave = sql`EXISTS (
    SELECT 1 FROM ${tournamentPlayers} AS ${me} JOIN ${tournaments} AS ${t} ON ${t.id} = ${me.tournamentId}
    JOIN ${tournamentTeams} AS ${led} ON ${led.id} = ${me.teamId}
    WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId} AND ${me.teamId} = ${teamId} AND (
      (${t.state} IN ('open', 'running') AND EXISTS (SELECT 1 ${otherPlayers}))
      OR (${t.state} = 'running' AND ${led.captainId} = ${userId})
    )
  )`;
  const next = heirAmong(otherPlayers);
  const { toHeir, toCaptain, replacement } = await transact(db, {
    toHeir: notifyTeam(
      db,
      actor,
      "captain",
      sql`${team.captainId} = ${userId} AND ${player.userId} = ${next} AND ${canLeave}`,
      now,
    ),
    toCaptain: notifyTeam(
      db,
      actor,
      "left",
      sql`${team.captainId} <> ${userId} AND ${player.userId} = ${team.captainId} AND ${canLeave}`,
      now,
    ),
    reports: passReportsOn(
      db,
      actor,
      next,
      sql`${canLeave} AND EXISTS (
        SELECT 1 FROM ${tournamentTeams} AS ${led} WHERE ${led.id} = ${teamId} AND ${led.captainId} = ${userId}
      )`,
      now,
    ),
    event: logEvent(db, { ...actor, now: new Date(now) }, "left-team", detailsOfTeam(teamId), canLeave),
    version: bumpVersion(db, tournamentId, canLeave, now),
    captain: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.captainId)} = ${next}
        WHERE ${tournamentTeams.id} = ${teamId} AND ${tournamentTeams.captainId} = ${userId} AND ${canLeave}`),
    outdated: resolveNewsOf(db, "player", sql`SELECT ${userId} WHERE ${canLeave}`, tournamentId, now),
    forget: forgetNews(db, sql`SELECT ${userId} WHERE ${canLeave}`, subjectOf("tournament-team", tournamentId, teamId)),
    leave: db.run(sql`DELETE FROM ${tournamentPlayers} WHERE ${tournamentPlayers.teamId} = ${teamId}
      AND ${tournamentPlayers.userId} = ${userId} AND ${canLeave}`),
    replacement: promoteSubstitute(db, tournamentId, teamId, now),
  });
  return userIdsOf([...toHeir, ...toCaptain, ...replacement.called]);
}

/** Calls `leaveTournaments`, and updates the open tabs of everyone affected. */
export const leaveTournamentsAndAnnounce = (
  context: Parameters<typeof tellUnread>[0],
  userId: string,
  now: Date,
  joinedBy?: number,
): Promise<void> => {
  const listener: Listener = {
    left(tournamentId, notified) {
      tellUnread(context, ...notified);
      tellTournament(context, tournamentId);
    },
    leftChats: (chats) => tellMatchChats(context, chats),
  };
  return leaveTournaments(context.db, userId, now, listener, joinedBy);
};
