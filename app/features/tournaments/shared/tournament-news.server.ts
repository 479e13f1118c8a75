import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversations,
  notifications,
  tournamentEvents,
  tournamentInvitations,
  tournamentMatches,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { eventActions, newsKinds } from "#db/sql";
import { notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { type NewsSubjectSql, subjectOf } from "~/features/notifications/shared/subjects";
import { isOfTournament, subjectSql } from "~/features/notifications/shared/subjects.server";
import { checkInOpensAtOfT } from "../registration/conditions.server";
import { selectOrganisers } from "./access.server";
import { actingCaptain } from "./lone-teams.server";

const asked = alias(tournamentInvitations, "asked");
const chat = alias(conversations, "chat");
const event = alias(tournamentEvents, "event");
const match = alias(tournamentMatches, "match");
const news = alias(notifications, "news");
const player = alias(tournamentPlayers, "player");
const reported = alias(tournamentEvents, "reported");
const t = alias(tournaments, "t");
const team = alias(tournamentTeams, "team");

/** Selects a tournament's players, organisers and invited players, as `user_id`; some occur several times. */
export const selectConcerned = (tournamentId: SQL | string): SQL => sql`
  SELECT ${player.userId} FROM ${tournamentPlayers} AS ${player} WHERE ${player.tournamentId} = ${tournamentId}
  UNION ALL SELECT organiser.userId FROM (${selectOrganisers(sql`${tournamentId}`)}) AS organiser
  UNION ALL SELECT ${asked.userId} FROM ${tournamentTeams} AS ${team}
    JOIN ${tournamentInvitations} AS ${asked} ON ${asked.teamId} = ${team.id}
    WHERE ${team.tournamentId} = ${tournamentId}`;

/**
 * Selects everyone who may have news of a tournament, as `user_id`: everyone whom it concerns, and players and
 * organisers who have left. The latter are in the log, because it records when a player registers or joins, and when
 * an organiser is added. Many occur several times.
 */
export const selectInformed = (tournamentId: SQL | string): SQL => sql`
  ${selectConcerned(tournamentId)}
  UNION ALL SELECT iif(${event.action} = ${eventActions("organiser-added")}, ${event.details} ->> '$.player', ${event.actorId})
  FROM ${tournamentEvents} AS ${event} WHERE ${event.tournamentId} = ${tournamentId}`;

/** True for the subjects of a tournament, and of roles, teams and matches in it. @param subject the column */
export const isNewsOf = (subject: SQLiteColumn, tournamentId: string): SQL =>
  sql`(${sql.join(
    (["tournament", "tournament-organiser", "tournament-team", "match"] as const).map((word) =>
      isOfTournament(subject, word, tournamentId),
    ),
    sql` OR `,
  )})`;

/** The kinds of news that call on someone to act in a match. */
export const MATCH_CALLS = newsKinds("match-ready", "match-report", "match-dispute");
const OTHER_CALLS = newsKinds("tournament-invitation", "tournament-check-in", "tournament-due", "tournament-place");

/**
 * The news that concerns players only as long as they are in their team, and organisers only as long as they are
 * organisers: calls to act, a team's spot, and registrations. The organisers' calls name no team.
 */
const NEWS_OF = {
  player: sql`${notifications.kind} IN (
    ${newsKinds("tournament-place", "tournament-check-in", "match-ready", "match-report")}
  )`,
  organiser: sql`(${notifications.kind} IN (${newsKinds("tournament-due", "tournament-registered")}) OR (
    ${notifications.kind} = ${newsKinds("match-dispute")} AND json_extract(${notifications.data}, '$.team') IS NULL
  ))`,
};

/**
 * Builds the statement that marks news of a tournament (`NEWS_OF`) as read for people whom it no longer concerns:
 * players who leave their team, or organisers who lose the role. The result lists them.
 * @param people `SELECT user_id …`; empty if they stay after all
 */
export const resolveNewsOf = (
  db: Database,
  part: keyof typeof NEWS_OF,
  people: SQL,
  tournamentId: string,
  now: number,
) =>
  resolveOutdated(
    db,
    sql`${notifications.userId} IN (${people}) AND ${isNewsOf(notifications.subject, tournamentId)}
      AND ${NEWS_OF[part]}`,
    now,
  );

/**
 * Builds the statement that marks as read all news of a tournament that calls on someone to act, or on a team to use
 * the spot that it has got: the tournament starts or is cancelled, so it's too late. At the start, run it before the
 * statement that calls players to the first matches. The result lists the players.
 * @param condition SQL that is true if it's too late
 */
export const resolveCalls = (db: Database, tournamentId: string, now: number, condition: SQL = sql`TRUE`) =>
  resolveOutdated(
    db,
    sql`${notifications.id} IN (
      SELECT ${news.id} FROM (${selectConcerned(tournamentId)}) AS concerned
      CROSS JOIN ${notifications} AS ${news} ON ${news.userId} = concerned.user_id AND ${news.readAt} IS NULL
      WHERE ${news.kind} IN (${OTHER_CALLS}, ${MATCH_CALLS}) AND ${isNewsOf(news.subject, tournamentId)}
        AND ${condition}
    )`,
    now,
  );

/**
 * Builds the statement that marks a tournament's calls to check in as read, unless check-in is open. The result lists
 * the players.
 */
export const resolveCheckInCalls = (db: Database, tournamentId: string, now: number) =>
  resolveOutdated(
    db,
    sql`${notifications.userId} IN (
        SELECT ${player.userId} FROM ${tournamentPlayers} AS ${player} WHERE ${player.tournamentId} = ${tournamentId}
      ) AND ${notifications.kind} = ${newsKinds("tournament-check-in")}
      AND ${notifications.subject} = ${subjectOf("tournament", tournamentId)} AND NOT EXISTS (
        SELECT 1 FROM ${tournaments} AS ${t} WHERE ${t.id} = ${tournamentId} AND ${t.checkInMinutes} > 0
          AND ${checkInOpensAtOfT} <= ${now}
      )`,
    now,
  );

/**
 * Builds the statement that asks a team's next captain to confirm or dispute the reports that still wait for the team's
 * answer, in the words of `newsOf` in `../play/news.ts`. Run it before the captain changes. It doesn't copy the
 * outgoing captain's news, because they may have turned such news off. The result lists the next captain.
 * @param team the ids of the team and its tournament, or two `SELECT`s of ids
 * @param heirId the next captain, as an SQL expression; NULL if there is none
 * @param condition SQL that is true if the captain changes
 */
export const passReportsOn = (
  db: Database,
  { tournamentId, teamId }: Record<"tournamentId" | "teamId", string | SQL>,
  heirId: SQL,
  condition: SQL,
  now: number,
) =>
  notify(db, {
    kind: "match-report",
    // Selected below.
    subject: sql`to_tell.subject` as NewsSubjectSql,
    data: sql`to_tell.data`,
    // The match's name comes from the chat's title, which begins with it: SQL can't build the name from the match's
    // columns. `minutes` is NULL because the countdown began when the report came.
    recipients: sql`
      SELECT ${heirId} AS user_id, ${subjectSql("match", match.tournamentId, match.id)} AS subject, json_object(
        'tournament', ${t.title}, 'match', substr(${chat.title}, 1, instr(${chat.title}, ': ') - 1),
        'team', ${team.name}, 'winner', ${event.details} ->> '$.winner',
        'isOwnWin', json(iif(
          (${event.details} ->> '$.one' > ${event.details} ->> '$.two') = (${match.reporter} = 1), 'true', 'false'
        )),
        'score', max(${event.details} ->> '$.one', ${event.details} ->> '$.two') || ' to '
          || min(${event.details} ->> '$.one', ${event.details} ->> '$.two'),
        'minutes', NULL
      ) AS data
      FROM ${tournamentMatches} AS ${match}
      JOIN ${tournaments} AS ${t} ON ${t.id} = ${match.tournamentId} AND ${t.hiddenAt} IS NULL
      JOIN ${tournamentTeams} AS ${team} ON ${team.id} = iif(${match.reporter} = 1, ${match.team1}, ${match.team2})
      JOIN ${conversations} AS ${chat} ON ${chat.id} = ${match.conversationId}
      JOIN ${tournamentEvents} AS ${event} ON ${event.id} = (
        SELECT max(${reported.id}) FROM ${tournamentEvents} AS ${reported}
        WHERE ${reported.tournamentId} = ${match.tournamentId} AND ${reported.matchId} = ${match.id}
          AND ${reported.action} = ${eventActions("reported")}
      )
      WHERE ${match.tournamentId} IN (${tournamentId}) AND ${match.state} = 'reported'
        AND iif(${match.reporter} = 1, ${match.team2}, ${match.team1}) IN (${teamId})
        AND ${heirId} IS NOT NULL AND ${condition}`,
    now,
  });

/**
 * Builds the statement that asks a player whose account is no longer suspended or due for deletion to confirm or
 * dispute the reports that wait for a team without a captain for which the player now acts (`actingCaptain`). Run it
 * right after the statement that brings the account back. The result lists the player.
 */
export const askReturned = (db: Database, playerId: string, now: Date) =>
  passReportsOn(
    db,
    {
      tournamentId: sql`
        SELECT ${t.id} FROM ${tournamentPlayers} AS ${player}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${player.tournamentId} AND ${t.state} = 'running'
        WHERE ${player.userId} = ${playerId}`,
      teamId: sql`
        SELECT ${team.id} FROM ${tournamentPlayers} AS ${player}
        JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${player.teamId} AND ${team.captainId} IS NULL
        WHERE ${player.userId} = ${playerId} AND ${actingCaptain(team)} = ${playerId}`,
    },
    sql`${playerId}`,
    sql`changes() > 0`,
    now.getTime(),
  );
