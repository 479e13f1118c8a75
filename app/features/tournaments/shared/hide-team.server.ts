import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { hiddenOriginals, reportCases, tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { dropOriginal, keepOriginal, originalOf } from "~/features/moderation/shared/originals.server";
import { replaceTeamName } from "./team-texts.server";

const cup = alias(tournaments, "cup");
const entered = alias(tournaments, "entered");
const other = alias(tournamentTeams, "other");
const reported = alias(reportCases, "reported");
const taken = alias(tournamentTeams, "taken");
const team = alias(tournamentTeams, "team");

/** The numbers for neutral names: more than a tournament has places, because its waiting list has teams, too. */
const NUMBERS = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index + 1));

/** Returns the key for a new name. A solo player's key is their id and doesn't change. @param name an SQL expression */
const keyOf = (name: SQL) => sql`iif((
  SELECT ${cup.teamSize} FROM ${tournaments} AS ${cup} WHERE ${cup.id} = ${tournamentTeams.tournamentId}
) = 1, ${tournamentTeams.nameKey}, ${name})`;

const tournamentOf = (id: string) => sql`(SELECT ${team.tournamentId} FROM ${tournamentTeams} AS ${team}
  WHERE ${team.id} = ${id})`;

/**
 * Builds the statements that give a team a neutral name that no other team of the tournament has ("Team 7"), wherever
 * its name appears: in the tournament, its log, its matches' chats, and news.
 * @param condition SQL that is true if the team is to be hidden
 */
export function hideTeam(db: Database, id: string, now: Date, condition: SQL) {
  const [name, neutral] = [originalOf("team", id, "name"), originalOf("team", id, "neutral")];
  return {
    keep: keepOriginal(
      db,
      "team",
      id,
      sql`SELECT json_object(
          'tournamentId', ${team.tournamentId}, 'name', ${team.name}, 'nameKey', ${team.nameKey}, 'neutral', (
          SELECT 'Team ' || min(number.value) FROM json_each(${NUMBERS}) AS number
          WHERE NOT EXISTS (
            SELECT 1 FROM ${tournamentTeams} AS ${taken} WHERE ${taken.tournamentId} = ${team.tournamentId}
              AND 'Team ' || number.value IN (${taken.name}, 'T' || substr(${taken.nameKey}, 2))
          )
        )) AS original
        FROM ${tournamentTeams} AS ${team} WHERE ${team.id} = ${id} AND ${neutral} IS NULL`,
      now,
      condition,
    ),
    texts: replaceTeamName(
      db,
      { tournamentId: tournamentOf(id), teamId: sql`${id}`, name, by: neutral },
      now,
      condition,
    ),
    key: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.nameKey)} = ${keyOf(sql`lower(${neutral})`)}
      WHERE ${tournamentTeams.id} = ${id} AND ${condition}`),
  };
}

/**
 * Builds the statements that give a team its name back. It keeps the neutral one if another team has taken its own. The
 * name of a solo player whose account is gone stays removed.
 */
export function restoreTeam(db: Database, id: string, now: Date, condition: SQL) {
  const [name, key, neutral] = ["name", "nameKey", "neutral"].map((part) => originalOf("team", id, part)) as [
    SQL,
    SQL,
    SQL,
  ];
  // Stays true once these statements have changed the name, so later statements can rely on it.
  const isSwapped = sql`EXISTS (SELECT 1 FROM ${tournamentTeams} AS ${team} WHERE ${team.id} = ${id}
    AND ${team.name} IN (${neutral}, ${name}))`;
  const isFree = sql`(${name} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${tournamentTeams} AS ${other} WHERE ${other.tournamentId} = ${tournamentOf(id)}
      AND ${other.nameKey} = ${key} AND ${other.id} <> ${id}
  ) AND ${isSwapped} AND ${condition})`;
  return {
    texts: replaceTeamName(
      db,
      { tournamentId: tournamentOf(id), teamId: sql`${id}`, name: neutral, by: name },
      now,
      isFree,
    ),
    key: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.nameKey)} = ${key}
      WHERE ${tournamentTeams.id} = ${id} AND ${isFree}`),
    drop: dropOriginal(db, "team", id, condition),
  };
}

/**
 * Builds the statement that deletes the originals of a player's hidden solo teams, which are the player's own name.
 * Restoring the teams then has no effect. Finds the teams by the cases about them, because a team that has withdrawn
 * has no row any more.
 */
export const forgetSoloOriginals = (db: Database, userId: string, condition: SQL) =>
  db.run(sql`
    DELETE FROM ${hiddenOriginals} WHERE ${condition}
      AND (${hiddenOriginals.kind}, ${hiddenOriginals.subjectId}) IN (
        SELECT ${reported.kind}, ${reported.subjectId} FROM ${reportCases} AS ${reported}
        WHERE ${reported.playerId} = ${userId} AND ${reported.kind} = ${"team"}
      )
      AND NOT EXISTS (
        SELECT 1 FROM ${tournaments} AS ${entered}
        WHERE ${entered.id} = json_extract(${hiddenOriginals.original}, '$.tournamentId') AND ${entered.teamSize} > 1
      )`);
