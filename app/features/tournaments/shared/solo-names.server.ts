import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import {
  conversationMembers,
  notifications,
  tournamentEvents,
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
} from "#db/schema";
import { bare, eventActions, newsKinds } from "#db/sql";
import type { EventAction } from "#db/words/event-actions";
import { UNKNOWN_PLAYER } from "~/features/players/rules";

const alike = alias(tournamentTeams, "alike");
const alone = alias(tournamentTeams, "alone");
const e = alias(tournamentEvents, "e");
const me = alias(tournamentPlayers, "me");
const newsRow = alias(notifications, "news");
const other = alias(tournamentTeams, "other");
const own = alias(tournamentMatches, "own");
const t = alias(tournaments, "t");

/*
 * Solo players appear in brackets, logs, notifications and chats under their own name, which has to disappear with
 * their account. If two players have the same name, it is removed wherever it clearly means this player: in their team,
 * their registration and their matches against others. Where it could also mean the other player, it stays until that
 * account is deleted, too.
 */

/**
 * The most names removed in one transaction, so that a transaction's size doesn't grow with how much a player has
 * played.
 */
export const SOLO_NAMES_AT_ONCE = 10;

/** A name, and the tournament in which a player played under it or registered with it. */
interface SoloName {
  tournamentId: string;
  name: string;
}

/** Lists names under which a player still appears in tournaments; at most `SOLO_NAMES_AT_ONCE`. */
export const listSoloNames = (db: Database, userId: string): Promise<SoloName[]> =>
  db.all(sql`
    SELECT ${t.id} AS tournamentId, ${alone.name} AS name FROM ${tournamentPlayers} AS ${me}
    JOIN ${tournamentTeams} AS ${alone} ON ${alone.id} = ${me.teamId}
      JOIN ${tournaments} AS ${t} ON ${t.id} = ${me.tournamentId}
    WHERE ${me.userId} = ${userId} AND ${t.teamSize} = 1 AND ${alone.name} <> ${UNKNOWN_PLAYER}
    UNION ALL
    SELECT ${t.id}, json_extract(${e.details}, '$.team') FROM ${tournamentEvents} AS ${e}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${e.tournamentId}
    WHERE ${e.actorId} = ${userId} AND ${e.action} = ${eventActions("registered")} AND ${t.teamSize} = 1
      AND json_extract(${e.details}, '$.team') <> ${UNKNOWN_PLAYER}
    LIMIT ${SOLO_NAMES_AT_ONCE}`);

/** The keys under which event details and notification data name a team. */
const KEYS = ["team", "opponent", "winner", "loser"];

/** Returns the SQL that replaces a name in a text. @param pairs the forms in which the text contains a name */
const replaceName = (text: SQL, pairs: (name: string) => string[], name: string): SQL => {
  const news = pairs(UNKNOWN_PLAYER);
  return pairs(name).reduce((before, old, index) => sql`replace(${before}, ${old}, ${news[index]})`, text);
};
/**
 * The form that the name has in an object's JSON. Within a text value the quotes would be escaped, so only whole values
 * match.
 */
const inJson = (name: string) => KEYS.map((key) => JSON.stringify({ [key]: name }).slice(1, -1));
/**
 * The form that the name has in a chat's title, such as "Semi-final 1: Five Quiet People – Second Site"; a line break
 * marks the end.
 */
const inTitle = (name: string) => [`: ${name} – `, ` – ${name}\n`];

/** The kinds of news that may contain a solo player's name. */
const NAMING_KINDS = newsKinds(
  "tournament-registered",
  "tournament-finished",
  "match-ready",
  "match-report",
  "match-result",
  "match-dispute",
);

/** The log's actions of a solo player that aren't about a match. */
const OWN_ACTIONS: readonly EventAction[] = ["registered", "withdrew", "team-checked-in"];

/**
 * Returns the statements that remove a name wherever it stands for this player.
 * @param condition SQL that holds if the name should be removed
 */
export function forgetSoloName(db: Database, userId: string, { tournamentId, name }: SoloName, condition: SQL) {
  const change = (table: string, column: string, text: SQL, where: SQL) =>
    db.run(sql`
      UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${text}
      WHERE ${condition} AND ${sql.raw(column)} <> ${text} AND ${where}`);
  const ofTournament = sql`tournament_id = ${tournamentId}`;
  const isOwn = sql`user_id = ${userId}`;
  const ownTeam = sql`(SELECT ${tournamentPlayers.teamId} FROM ${tournamentPlayers} WHERE ${ofTournament}
    AND ${isOwn})`;
  const isAlone = sql`NOT EXISTS (
    SELECT 1 FROM ${tournamentTeams} AS ${alike}
    WHERE ${alike.tournamentId} = ${tournamentId} AND ${alike.name} = ${name} AND ${alike.id} IS NOT ${ownTeam}
  )`;
  /** The player's matches, except those against a player of the same name. */
  const ownMatches = (column: SQL) => sql`(
    SELECT ${column} FROM ${tournamentMatches} AS ${own}
    LEFT JOIN ${tournamentTeams} AS ${other} ON ${other.id} = iif(${own.team1} = ${ownTeam}, ${own.team2}, ${own.team1})
    WHERE ${own.tournamentId} = ${tournamentId} AND ${ownTeam} IN (${own.team1}, ${own.team2})
      AND ${other.name} IS NOT ${name}
  )`;
  return [
    ...["tournament", "match"].map((about) =>
      change(
        "notifications",
        "data",
        replaceName(sql`data`, inJson, name),
        // The number of a match follows a slash, and "0" is the character after the slash, so this range covers all
        // matches.
        sql`id IN (
          SELECT ${newsRow.id} FROM (
            SELECT ${tournamentPlayers.userId} FROM ${tournamentPlayers} WHERE ${ofTournament}
            UNION ALL SELECT ${tournamentOrganisers.userId} FROM ${tournamentOrganisers} WHERE ${ofTournament}
            UNION ALL SELECT ${tournaments.userId} FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
          ) AS told
          CROSS JOIN ${notifications} AS ${newsRow} ON ${newsRow.userId} = told.user_id
            AND ${newsRow.kind} IN (${NAMING_KINDS})
            AND ${newsRow.subject} >= ${`${about}:${tournamentId}`}
            AND ${newsRow.subject} < ${`${about}:${tournamentId}0`}
        ) AND (${isAlone} OR subject IN ${ownMatches(sql`${`match:${tournamentId}/`} || ${own.id}`)})`,
      ),
    ),
    change(
      "conversations",
      "title",
      sql`rtrim(${replaceName(sql`title || char(10)`, inTitle, name)}, char(10))`,
      sql`id IN (SELECT ${conversationMembers.conversationId} FROM ${conversationMembers} WHERE ${isOwn})
        AND (${isAlone} OR id IN ${ownMatches(sql`${own.conversationId}`)})`,
    ),
    change(
      "tournament_events",
      "details",
      replaceName(sql`details`, inJson, name),
      sql`${ofTournament} AND (
        ${isAlone} OR match_id IN ${ownMatches(sql`${own.id}`)}
        OR actor_id = ${userId} AND action IN (SELECT value FROM json_each(${JSON.stringify(OWN_ACTIONS)}))
      )`,
    ),
    change("tournament_teams", "name", sql`${UNKNOWN_PLAYER}`, sql`id = ${ownTeam}`),
    // The room's cached state contains the name, so a new version makes it reload.
    db.run(sql`UPDATE ${tournaments} SET ${bare(tournaments.version)} = ${tournaments.version} + 1 WHERE ${condition}
      AND ${tournaments.id} = ${tournamentId}`),
  ];
}
