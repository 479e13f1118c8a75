import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournaments, tournamentTeams } from "#db/schema";
import { bare } from "#db/sql";
import { dropOriginal, keepOriginal, originalOf } from "~/features/moderation/shared/originals.server";
import { replaceTeamName } from "./team-texts.server";

const cup = alias(tournaments, "cup");
const other = alias(tournamentTeams, "other");
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
 * @param condition SQL that holds if the team is to be hidden
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
    texts: replaceTeamName(db, { tournamentId: tournamentOf(id), teamId: sql`${id}`, name, by: neutral }, condition),
    key: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.nameKey)} = ${keyOf(sql`lower(${neutral})`)}
      WHERE ${tournamentTeams.id} = ${id} AND ${condition}`),
  };
}

/** Builds the statements that give a team its name back. It keeps the neutral one if another team has taken its own. */
export function restoreTeam(db: Database, id: string, condition: SQL) {
  const [name, key, neutral] = ["name", "nameKey", "neutral"].map((part) => originalOf("team", id, part)) as [
    SQL,
    SQL,
    SQL,
  ];
  const isFree = sql`(${name} IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM ${tournamentTeams} AS ${other} WHERE ${other.tournamentId} = ${tournamentOf(id)}
      AND ${other.nameKey} = ${key} AND ${other.id} <> ${id}
  ) AND ${condition})`;
  return {
    texts: replaceTeamName(db, { tournamentId: tournamentOf(id), teamId: sql`${id}`, name: neutral, by: name }, isFree),
    key: db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.nameKey)} = ${key}
      WHERE ${tournamentTeams.id} = ${id} AND ${isFree}`),
    drop: dropOriginal(db, "team", id, condition),
  };
}
