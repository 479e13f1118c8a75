import { type SQL, sql } from "drizzle-orm";
import { alias, type SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentEvents, tournamentMatches, tournamentPlayers, tournaments } from "#db/schema";
import { bare, eventActions } from "#db/sql";
import { isInOriginal } from "~/features/moderation/shared/originals.server";
import { organisedBy } from "./access.server";
import { bumpVersion } from "./changes.server";

const disputed = alias(tournamentEvents, "disputed");
const last = alias(tournamentEvents, "last");
const reader = alias(tournamentPlayers, "reader");
const run = alias(tournaments, "run");

/*
 * The evidence of disputes. The log keeps it, and a match has a copy while it is disputed. It belongs to its author,
 * the captain who opened the dispute: a case about them contains it, and hiding everything they wrote hides it too.
 */

/** A match, by its address. */
interface MatchRef {
  tournamentId: string;
  matchId: number;
}

/**
 * Maximum number of disputes whose evidence a case about a player keeps, latest first: this many in a reported match,
 * and this many in all other matches together.
 */
const MAX_DISPUTES = 5;

const evidenceIn = (details: SQLiteColumn): SQL => sql`json_extract(${details}, '$.evidence')`;

/** The `FROM` and `WHERE` of a player's disputes, as `disputed`. */
const disputesBy = (playerId: SQL): SQL => sql`
  FROM ${tournamentEvents} AS ${disputed}
  WHERE ${disputed.actorId} = ${playerId} AND ${disputed.action} = ${eventActions("disputed")}`;

/** Selects from a player's disputes that have evidence, as `disputed`. */
const evidenceBy = (playerId: SQL, columns: SQL): SQL => sql`
  SELECT ${columns} ${disputesBy(playerId)} AND ${evidenceIn(disputed.details)} IS NOT NULL`;

/** True for the disputes of a match. The unary plus keeps SQLite from choosing the match's index. */
const isIn = ({ tournamentId, matchId }: MatchRef): SQL =>
  sql`(+${disputed.tournamentId} = ${tournamentId} AND +${disputed.matchId} IS ${matchId})`;

/**
 * Selects the evidence of a player's latest disputes, as `evidence`, latest first. Row ids ascend in the order in which
 * rows were stored, and so do those in the index of a player's events, so no sort is needed.
 */
const selectLatest = (playerId: SQL, isSeen: SQL, which: SQL): SQL => sql`SELECT evidence FROM (
  ${evidenceBy(playerId, sql`${evidenceIn(disputed.details)} AS evidence`)} AND ${isSeen} AND ${which}
  ORDER BY disputed.rowid DESC LIMIT ${MAX_DISPUTES}
)`;

/**
 * Returns the evidence of a player's latest disputes, as an SQL expression for a JSON array.
 * @param readerId the player who reads it
 * @param limit takes the condition that the reader can see a dispute's evidence, and returns the condition that the
 *   evidence must meet
 * @param match a match whose evidence comes first, whatever the player has disputed since
 */
export function latestEvidence(
  playerId: SQL,
  readerId: string,
  limit: (isSeen: SQL) => SQL,
  match: MatchRef | undefined,
): SQL {
  const latest = (which: SQL) => selectLatest(playerId, limit(isReadBy(readerId)), which);
  const all = match ? sql`${latest(isIn(match))} UNION ALL ${latest(sql`NOT ${isIn(match)}`)}` : latest(sql`1`);
  return sql`(SELECT json_group_array(evidence) FROM (${all}))`;
}

/** Lists a player's evidence in a match, as a case would keep it if this reader reported the player. Latest first. */
export async function listEvidence(
  db: Database,
  playerId: string,
  readerId: string,
  match: MatchRef,
): Promise<string[]> {
  const rows = await db.all<{ evidence: string }>(selectLatest(sql`${playerId}`, isReadBy(readerId), isIn(match)));
  return rows.map(({ evidence }) => evidence);
}

/**
 * True if a player may read a dispute's evidence: an organiser, or a player of either team while moderators haven't
 * hidden the tournament.
 */
const isReadBy = (userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM ${tournaments} AS ${run} WHERE ${run.id} = ${disputed.tournamentId} AND (
    ${organisedBy(userId, run)} OR (${run.hiddenAt} IS NULL AND EXISTS (
      SELECT 1 FROM ${tournamentPlayers} AS ${reader}
      WHERE ${reader.tournamentId} = ${run.id} AND ${reader.userId} = ${userId} AND ${reader.teamId} IN (
        json_extract(${disputed.details}, '$.team1'), json_extract(${disputed.details}, '$.team2')
      )
    ))
  )
)`;

/** True if a reader can read evidence that a player has given in a match. */
export const isEvidenceShownTo = (
  readerId: string,
  playerId: SQL,
  { tournamentId, matchId }: MatchRef,
): SQL => sql`EXISTS (
  ${evidenceBy(playerId, sql`1`)} AND (${disputed.tournamentId}, ${disputed.matchId}) = (${tournamentId}, ${matchId})
    AND ${isReadBy(readerId)}
)`;

/** The beginning of the keys under which hidden evidence is kept. */
export const DISPUTE = "dispute:";
/** The key under which a dispute's hidden evidence is kept, as an SQL expression. */
const evidenceKey = (id: SQLiteColumn): SQL => sql`${DISPUTE} || ${id}`;

/** True if moderators have hidden this evidence, in any dispute of the player. */
export const isEvidenceHidden = (playerId: string, evidence: string): SQL =>
  isInOriginal("player", playerId, evidence, [DISPUTE]);

/** Selects a player's evidence and its keys, as `place` and `words`, to keep it before it is hidden. */
export const evidenceToKeep = (playerId: string): SQL =>
  evidenceBy(sql`${playerId}`, sql`${evidenceKey(disputed.id)} AS place, ${evidenceIn(disputed.details)} AS words`);

/** Makes the rooms reload the tournaments in which a player has given evidence, because their state contains it. */
const bumpVersions = (db: Database, playerId: string, now: Date, condition: SQL) =>
  bumpVersion(db, evidenceBy(sql`${playerId}`, sql`${disputed.tournamentId}`), condition, now.getTime());

/** True if a player has disputed a match. If so, hiding or restoring the player changes match pages. */
export const hasDisputed = (playerId: string): SQL => sql`EXISTS (SELECT 1 ${disputesBy(sql`${playerId}`)})`;

/** Selects the tournament of each of a player's disputes, as `tournamentId`. */
export const selectDisputed = (playerId: string): SQL =>
  sql`SELECT ${disputed.tournamentId} AS tournamentId ${disputesBy(sql`${playerId}`)}`;

/** Lists the tournaments in which a player has disputed a match. */
export async function listDisputed(db: Database, playerId: string): Promise<string[]> {
  const rows = await db.all<{ tournamentId: string }>(selectDisputed(playerId));
  return [...new Set(rows.map(({ tournamentId }) => tournamentId))];
}

/**
 * Builds the statements that take the evidence out of a player's disputes. The disputes stay.
 * @param condition SQL that is true if it is to be hidden
 */
export function hideEvidence(db: Database, playerId: string, now: Date, condition: SQL) {
  const copies = evidenceBy(
    sql`${playerId}`,
    sql`${disputed.tournamentId}, ${disputed.matchId}, ${evidenceIn(disputed.details)}`,
  );
  return {
    versions: bumpVersions(db, playerId, now, condition),
    disputed: db.run(sql`
      UPDATE ${tournamentMatches} SET ${bare(tournamentMatches.dispute)} = NULL
      WHERE (${tournamentMatches.tournamentId}, ${tournamentMatches.id}, ${tournamentMatches.dispute}) IN (${copies})
        AND ${condition}`),
    evidence: db.run(sql`
      UPDATE ${tournamentEvents}
      SET ${bare(tournamentEvents.details)} = json_remove(${tournamentEvents.details}, '$.evidence')
      WHERE ${tournamentEvents.id} IN (${evidenceBy(sql`${playerId}`, sql`${disputed.id}`)}) AND ${condition}`),
  };
}

/**
 * Builds the statements that give a player's disputes their evidence back.
 * @param kept returns the evidence kept under a key, as an SQL expression
 */
export function restoreEvidence(db: Database, playerId: string, kept: (key: SQL) => SQL, now: Date, condition: SQL) {
  const original = kept(evidenceKey(tournamentEvents.id));
  const matches = evidenceBy(sql`${playerId}`, sql`${disputed.tournamentId}, ${disputed.matchId}`);
  return {
    evidence: db.run(sql`
      UPDATE ${tournamentEvents}
      SET ${bare(tournamentEvents.details)} = json_set(${tournamentEvents.details}, '$.evidence', ${original})
      WHERE ${tournamentEvents.actorId} = ${playerId} AND ${tournamentEvents.action} = ${eventActions("disputed")}
        AND ${evidenceIn(tournamentEvents.details)} IS NULL AND ${original} IS NOT NULL AND ${condition}`),
    disputed: db.run(sql`
      UPDATE ${tournamentMatches} SET ${bare(tournamentMatches.dispute)} = (
        SELECT ${evidenceIn(last.details)} FROM ${tournamentEvents} AS ${last}
        WHERE ${last.tournamentId} = ${tournamentMatches.tournamentId} AND ${last.matchId} = ${tournamentMatches.id}
          AND ${last.action} = ${eventActions("disputed")}
        ORDER BY ${last.id} DESC LIMIT 1
      )
      WHERE (${tournamentMatches.tournamentId}, ${tournamentMatches.id}) IN (${matches})
        AND ${tournamentMatches.state} = 'disputed' AND ${tournamentMatches.dispute} IS NULL AND ${condition}`),
    versions: bumpVersions(db, playerId, now, condition),
  };
}
