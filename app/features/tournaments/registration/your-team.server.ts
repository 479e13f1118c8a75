import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { presence, profiles, tournamentMatches, tournamentPlayers, tournamentTeams } from "#db/schema";
import type { PresenceState } from "#party/wire/presence";
import { blockBetween, pictureFor } from "~/features/blocks/shared/blocks.server";
import { currentPresence } from "~/features/messages/rules";
import { nameOf } from "~/features/players/shared/name.server";
import { matchName } from "../shared/match-names";

const earlier = alias(tournamentTeams, "earlier");
const here = alias(presence, "here");
const m = alias(tournamentMatches, "m");
const me = alias(tournamentPlayers, "me");
const other = alias(tournamentTeams, "other");
const player = alias(tournamentPlayers, "player");
const profile = alias(profiles, "profile");
const teamRow = alias(tournamentTeams, "team");

/**
 * Returns the data of the panel about a player's own team: its starters, the number of teams waiting ahead of it, and
 * its next match.
 */
export async function findOwnPanel(db: Database, tournamentId: string, userId: string, now: Date) {
  const [[place], members, [match]] = await Promise.all([
    db.all<{ teamsAhead: number }>(sql`
      SELECT (
        SELECT count(*) FROM ${tournamentTeams} AS ${earlier}
        WHERE ${earlier.tournamentId} = ${teamRow.tournamentId} AND ${earlier.state} = 'waiting'
          AND ${earlier.listedAt} < ${teamRow.listedAt}
      ) AS teamsAhead
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentTeams} AS ${teamRow} ON ${teamRow.id} = ${me.teamId}
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}`),
    db.all<{
      userId: string;
      name: string;
      picture: string | null;
      isSubstitute: number;
      joinedAt: number;
      presence: PresenceState | null;
      seenAt: number;
    }>(sql`
      SELECT ${player.userId} AS userId, ${nameOf(sql`${player.userId}`)} AS name,
        ${pictureFor(userId, player.userId, profile.avatarId)} AS picture,
        ${player.isSubstitute} AS isSubstitute, ${player.joinedAt} AS joinedAt,
        iif(${blockBetween(sql`${player.userId}`, userId)}, NULL, ${here.state}) AS presence, ${here.seenAt} AS seenAt
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentPlayers} AS ${player} ON ${player.teamId} = ${me.teamId}
      LEFT JOIN ${profiles} AS ${profile} ON ${profile.userId} = ${player.userId}
      LEFT JOIN ${presence} AS ${here} ON ${here.userId} = ${player.userId}
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}`),
    // Returns a row of nulls if there is no next match.
    db.all<NextMatchRow>(sql`
      SELECT min(${m.id}) AS id, ${m.part} AS part, ${m.group} AS "group", ${m.round} AS round, ${m.rounds} AS rounds,
        ${m.number} AS number, ${m.state} AS state, (
          SELECT ${other.name} FROM ${tournamentTeams} AS ${other}
          WHERE ${other.id} = iif(${m.team1} = ${me.teamId}, ${m.team2}, ${m.team1})
        ) AS opponent
      FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentMatches} AS ${m}
        ON ${m.tournamentId} = ${me.tournamentId} AND (${m.team1} = ${me.teamId} OR ${m.team2} = ${me.teamId})
      WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId}
        AND ${m.state} IN ('waiting', 'ready', 'reported', 'disputed')`),
  ]);
  return {
    teamsAhead: place?.teamsAhead ?? 0,
    players: members
      .filter(({ isSubstitute }) => !isSubstitute)
      .sort((a, b) => a.joinedAt - b.joinedAt)
      .map(({ userId: id, name, picture, presence: state, seenAt }) => {
        // The viewer is online by definition.
        const isYou = id === userId;
        const presence = isYou ? "online" : currentPresence(state && { state, seenAt }, now.getTime());
        return { name, picture, presence: presence === "offline" ? ("none" as const) : presence, isYou };
      }),
    match:
      match?.id == null
        ? null
        : { id: match.id, name: matchName(match), opponent: match.opponent, isReady: match.state !== "waiting" },
  };
}

type NextMatchRow = Parameters<typeof matchName>[0] & { id: number | null; state: string; opponent: string | null };

export type OwnPanel = Awaited<ReturnType<typeof findOwnPanel>>;
