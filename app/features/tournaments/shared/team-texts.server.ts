import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { conversationMembers, conversations, notifications, tournamentMatches, tournamentTeams } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { isOfTournament, subjectSql } from "~/features/notifications/shared/subjects.server";
import { bumpVersion } from "./changes.server";
import { selectInformed } from "./tournament-news.server";

const alike = alias(tournamentTeams, "alike");
const chat = alias(conversations, "chat");
const member = alias(conversationMembers, "member");
const newsRow = alias(notifications, "news");
const other = alias(tournamentTeams, "other");
const own = alias(tournamentMatches, "own");

/*
 * Logs, notifications and the titles of chats store copies of a team's name. The statements below replace the name and
 * its copies.
 */

/** The keys under which event details and notification data name a team. */
const KEYS = ["team", "opponent", "winner", "loser"];

/** Builds the SQL that replaces a name in a text. @param forms the ways a text can contain a name */
const replaceName = (text: SQL, forms: (name: SQL) => SQL[], name: SQL, by: SQL): SQL => {
  const replacements = forms(by);
  return forms(name).reduce((before, old, index) => sql`replace(${before}, ${old}, ${replacements[index]})`, text);
};

/**
 * The name as it appears in an object's JSON. Inside a longer text the quotes would be escaped, so only whole values
 * match.
 */
const inJson = (name: SQL) => KEYS.map((key) => sql`${`"${key}":`} || json_quote(${name})`);

/**
 * The name as it appears in a chat's title, such as "Semi-final 1: Five Quiet People – Second Site". The caller appends
 * a line break to the title, so that the second form matches only at its end.
 */
const inTitle = (name: SQL) => [sql`': ' || ${name} || ' – '`, sql`' – ' || ${name} || char(10)`];

/** The kinds of news that may contain a team's name. */
const NAMING_KINDS = newsKinds(
  "tournament-invitation",
  "tournament-team",
  "tournament-captain",
  "tournament-place",
  "tournament-withdrawn",
  "tournament-registered",
  "tournament-finished",
  "match-ready",
  "match-report",
  "match-result",
  "match-dispute",
);

/** A team whose name is replaced. All values are SQL expressions. */
interface Renaming {
  tournamentId: SQL;
  teamId: SQL;
  name: SQL;
  /** The new name. */
  by: SQL;
  /** True for events of the tournament's log that are about this team, even if another has the same name. */
  isOwnEvent?: SQL;
}

/**
 * Builds the statements that replace a team's name wherever a copy clearly belongs to this team. Only solo players can
 * share a name. Then a copy is replaced only if it is about this player's own entry, or about one of their matches
 * against an opponent with another name.
 * @param condition SQL that is true if the name is to be replaced
 */
export function replaceTeamName(
  db: Database,
  { tournamentId, teamId, name, by, ...rest }: Renaming,
  now: Date,
  condition: SQL,
) {
  const change = (table: string, column: string, text: SQL, where: SQL) =>
    db.run(sql`
      UPDATE ${sql.raw(table)} SET ${sql.raw(column)} = ${text}
      WHERE ${condition} AND ${sql.raw(column)} <> ${text} AND ${where}`);
  const ofTournament = sql`tournament_id = ${tournamentId}`;
  const isUnique = sql`NOT EXISTS (
    SELECT 1 FROM ${tournamentTeams} AS ${alike}
    WHERE ${alike.tournamentId} = ${tournamentId} AND ${alike.name} = ${name} AND ${alike.id} IS NOT ${teamId}
  )`;
  /** The team's matches, except those against a team of the same name. */
  const ownMatches = (column: SQL) => sql`(
    SELECT ${column} FROM ${tournamentMatches} AS ${own}
    LEFT JOIN ${tournamentTeams} AS ${other} ON ${other.id} = iif(${own.team1} = ${teamId}, ${own.team2}, ${own.team1})
    WHERE ${own.tournamentId} = ${tournamentId} AND ${teamId} IN (${own.team1}, ${own.team2})
      AND ${other.name} IS NOT ${name}
  )`;
  /** The chats of these matches, and of earlier ones that were undone. */
  const chats = sql`(
    SELECT ${chat.id} FROM ${conversations} AS ${chat}
    LEFT JOIN ${tournamentTeams} AS ${other}
      ON ${other.id} = iif(${chat.team1} = ${teamId}, ${chat.team2}, ${chat.team1})
    WHERE (${chat.team1} = ${teamId} OR ${chat.team2} = ${teamId}) AND ${other.name} IS NOT ${name}
  )`;
  return [
    ...(["tournament", "match", "tournament-team"] as const).map((word) =>
      change(
        "notifications",
        "data",
        replaceName(sql`data`, inJson, name, by),
        sql`id IN (
          SELECT ${newsRow.id} FROM (${selectInformed(tournamentId)}) AS informed
          CROSS JOIN ${notifications} AS ${newsRow} ON ${newsRow.userId} = informed.user_id
            AND ${newsRow.kind} IN (${NAMING_KINDS})
            AND ${isOfTournament(newsRow.subject, word, tournamentId)}
        ) AND (${isUnique} OR subject = ${subjectSql("tournament-team", tournamentId, teamId)}
          OR subject IN ${ownMatches(subjectSql("match", own.tournamentId, own.id))})`,
      ),
    ),
    change(
      "conversations",
      "title",
      sql`rtrim(${replaceName(sql`title || char(10)`, inTitle, name, by)}, char(10))`,
      sql`id IN ${chats}`,
    ),
    db.run(sql`
      UPDATE ${notifications} SET ${bare(notifications.data)} = json_set(${notifications.data}, '$.party', (
        SELECT ${conversations.title} FROM ${conversations}
        WHERE ${subjectSql("conversation", conversations.id)} = ${notifications.subject}
          AND ${conversations.id} IN ${chats}
      ))
      WHERE ${condition} AND ${notifications.id} IN (
        SELECT ${newsRow.id} FROM ${conversationMembers} AS ${member} CROSS JOIN ${notifications} AS ${newsRow}
          ON ${newsRow.userId} = ${member.userId} AND ${newsRow.kind} = ${newsKinds("message")}
          AND ${newsRow.subject} = ${subjectSql("conversation", member.conversationId)}
        WHERE ${member.conversationId} IN ${chats}
      )`),
    change(
      "tournament_events",
      "details",
      replaceName(sql`details`, inJson, name, by),
      sql`${ofTournament} AND (
        ${isUnique} OR match_id IN ${ownMatches(sql`${own.id}`)} OR ${rest.isOwnEvent ?? sql`0`}
      )`,
    ),
    db.run(sql`UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.name)} = ${by}
      WHERE ${condition} AND ${tournamentTeams.id} = ${teamId}`),
    // The room's cached state contains the name, so a new version makes it reload.
    bumpVersion(db, tournamentId, condition, now.getTime()),
  ];
}
