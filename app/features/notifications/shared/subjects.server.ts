import { type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { NewsSubjectSql, Subjects } from "./subjects";

type InSql<Ids extends unknown[]> = { [Index in keyof Ids]: SQL | SQLiteColumn };

/** Makes the subject of news from ids that are SQL expressions, as `subjectOf` does from values. */
export const subjectSql = <Word extends keyof Subjects>(word: Word, ...ids: InSql<Subjects[Word]>): NewsSubjectSql =>
  sql`${sql.raw(`'${word}:'`)} || ${sql.join(ids, sql` || '/' || `)}` as NewsSubjectSql;

/** The words whose subjects begin with a tournament's id. */
type TournamentWord = "tournament" | "tournament-organiser" | "tournament-team" | "match";

/**
 * True for the subjects with a given word that are about a tournament, or about any of its teams or matches. The
 * tournament's id ends the subject or is followed by a slash, and "0" is the character after the slash.
 * @param subject the column
 */
export const isOfTournament = (subject: SQLiteColumn, word: TournamentWord, tournamentId: SQL | string): SQL =>
  sql`(${subject} >= ${`${word}:`} || ${tournamentId} AND ${subject} < ${`${word}:`} || ${tournamentId} || '0')`;
