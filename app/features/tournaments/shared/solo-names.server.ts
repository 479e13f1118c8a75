import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { UNKNOWN_PLAYER } from "~/features/players/rules";

/*
 * A player who plays alone stands in brackets, logs, news and chats under their own name. When the account goes, so does the
 * name. Two may be called alike: then it goes from what is the player's own (the team, their registration, their matches
 * against others), and stays where it may just as well mean the other one, until that account goes, too.
 */

/** Names that are taken away in one transaction: none grows with how much someone has played. */
export const SOLO_NAMES_AT_ONCE = 10;

/** A name, and the tournament in which a player has played under it, or would have. */
export interface SoloName {
  tournamentId: string;
  name: string;
}

/** Names under which a player still stands in tournaments; at most `SOLO_NAMES_AT_ONCE`. */
export const listSoloNames = (db: Database, userId: string): Promise<SoloName[]> =>
  db.all(sql`
    SELECT t.id AS tournamentId, alone.name AS name FROM tournament_players AS me
    JOIN tournament_teams AS alone ON alone.id = me.team_id JOIN tournaments AS t ON t.id = me.tournament_id
    WHERE me.user_id = ${userId} AND t.team_size = 1 AND alone.name <> ${UNKNOWN_PLAYER}
    UNION ALL
    SELECT t.id, json_extract(e.details, '$.team') FROM tournament_events AS e
    JOIN tournaments AS t ON t.id = e.tournament_id
    WHERE e.actor_id = ${userId} AND e.action = 'registered' AND t.team_size = 1
      AND json_extract(e.details, '$.team') <> ${UNKNOWN_PLAYER}
    LIMIT ${SOLO_NAMES_AT_ONCE}`);

/** Where words about a tournament name a team. */
const KEYS = ["team", "opponent", "winner", "loser"];

/** A text with words put in the place of others. */
const replaced = (text: SQL, pairs: (name: string) => string[], name: string): SQL => {
  const news = pairs(UNKNOWN_PLAYER);
  return pairs(name).reduce((before, old, index) => sql`replace(${before}, ${old}, ${news[index]})`, text);
};
/** As they stand in an object's JSON: within a text the quotes would be others. */
const inJson = (name: string) => KEYS.map((key) => JSON.stringify({ [key]: name }).slice(1, -1));
/** As in "Semi-final 1: Five Quiet People – Second Site", its end marked. */
const inTitle = (name: string) => [`: ${name} – `, ` – ${name}\n`];

/** What a player who plays alone does before the matches, as the tournament's log says it. */
const OWN_ACTIONS = ["registered", "withdrew", "team-checked-in"];

/** The statements that take a name away wherever it stands for this player. @param condition whether they do */
export function forgetSoloName(db: Database, userId: string, { tournamentId, name }: SoloName, condition: SQL) {
  const change = (table: string, column: string, text: SQL, where: SQL) =>
    db.run(sql`
      UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${text}
      WHERE ${condition} AND ${sql.raw(column)} <> ${text} AND ${where}`);
  const ofTournament = sql`tournament_id = ${tournamentId}`;
  const isOwn = sql`user_id = ${userId}`;
  const ownTeam = sql`(SELECT team_id FROM tournament_players WHERE ${ofTournament} AND ${isOwn})`;
  const isAlone = sql`NOT EXISTS (
    SELECT 1 FROM tournament_teams AS alike
    WHERE alike.tournament_id = ${tournamentId} AND alike.name = ${name} AND alike.id IS NOT ${ownTeam}
  )`;
  /** The player's matches, but for those against somebody who is called alike. */
  const ownMatches = (column: SQL) => sql`(
    SELECT ${column} FROM tournament_matches AS own
    LEFT JOIN tournament_teams AS other ON other.id = iif(own.team1_id = ${ownTeam}, own.team2_id, own.team1_id)
    WHERE own.tournament_id = ${tournamentId} AND ${ownTeam} IN (own.team1_id, own.team2_id) AND other.name IS NOT ${name}
  )`;
  return [
    ...["tournament", "match"].map((about) =>
      change(
        "notifications",
        "data",
        replaced(sql`data`, inJson, name),
        // A match's number comes after a slash, and "0" after that.
        sql`id IN (
          SELECT news.id FROM (
            SELECT user_id FROM tournament_players WHERE ${ofTournament}
            UNION ALL SELECT user_id FROM tournament_organisers WHERE ${ofTournament}
            UNION ALL SELECT user_id FROM tournaments WHERE id = ${tournamentId}
          ) AS told
          CROSS JOIN notifications AS news ON news.user_id = told.user_id AND news.kind IN (
            'tournament-registered', 'tournament-finished', 'match-ready', 'match-report', 'match-result',
            'match-dispute'
          ) AND news.subject >= ${`${about}:${tournamentId}`} AND news.subject < ${`${about}:${tournamentId}0`}
        ) AND (${isAlone} OR subject IN ${ownMatches(sql`${`match:${tournamentId}/`} || own.id`)})`,
      ),
    ),
    change(
      "conversations",
      "title",
      sql`rtrim(${replaced(sql`title || char(10)`, inTitle, name)}, char(10))`,
      sql`id IN (SELECT conversation_id FROM conversation_members WHERE ${isOwn})
        AND (${isAlone} OR id IN ${ownMatches(sql`own.conversation_id`)})`,
    ),
    change(
      "tournament_events",
      "details",
      replaced(sql`details`, inJson, name),
      sql`${ofTournament} AND (
        ${isAlone} OR match_id IN ${ownMatches(sql`own.id`)}
        OR actor_id = ${userId} AND action IN (SELECT value FROM json_each(${JSON.stringify(OWN_ACTIONS)}))
      )`,
    ),
    change("tournament_teams", "name", sql`${UNKNOWN_PLAYER}`, sql`id = ${ownTeam}`),
    // What its room remembers holds the name.
    db.run(sql`UPDATE tournaments SET version = version + 1 WHERE ${condition} AND id = ${tournamentId}`),
  ];
}
