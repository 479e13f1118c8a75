import { type Column, getTableColumns, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import {
  conversationMembers,
  conversations,
  notifications,
  profiles,
  tournamentBrackets,
  tournamentEvents,
  tournamentMatches,
  tournamentOrganisers,
  tournamentPlayers,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";
import { notify } from "~/features/notifications/shared/notify.server";
import { rankAt } from "~/game/ranks";
import type { Snapshot } from "../bracket/snapshot";
import type { MatchLengths } from "../format/stages";
import type { TieBreakRules } from "../format/tie-breaks";
import { matchName } from "../shared/match-names";
import type { PlayEvent } from "./decision";
import { mayReinstate } from "./disqualify";
import { matchSubject, newsOf, type PlayNews, undoneMatches } from "./news";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

const c = alias(conversations, "c");
const f = alias(profiles, "f");
const m = alias(tournamentMatches, "m");
const o = alias(tournamentOrganisers, "o");
const p = alias(tournamentPlayers, "p");
const t = alias(tournaments, "t");
const teamRow = alias(tournamentTeams, "team");

/** Reads all that a tournament's room must know, in one round trip; null when there is no such tournament. */
export async function loadPlay(db: Database, tournamentId: string): Promise<PlayState | null> {
  const [[tournament], organisers, teams, players, matches, [bracket]] = await Promise.all([
    db.all<TournamentColumns>(sql`
      SELECT ${tournaments.userId} AS hostId, ${tournaments.version}, ${tournaments.title},
        ${tournaments.state}, ${tournaments.format}, ${tournaments.teamSize} AS teamSize,
        ${tournaments.maxParticipants} AS maxParticipants,
          ${tournaments.bestOf} AS bestOf, ${tournaments.quarterBestOf} AS quarterBestOf,
          ${tournaments.semiBestOf} AS semiBestOf,
        ${tournaments.lowerFinalBestOf} AS lowerFinalBestOf,
          ${tournaments.finalBestOf} AS finalBestOf, ${tournaments.grandFinal} AS grandFinal,
        ${tournaments.groupSize} AS groupSize, ${tournaments.thirdPlace} AS thirdPlace,
        ${tournaments.checkInMinutes} AS checkInMinutes,
          ${tournaments.seeding}, ${tournaments.tieBreaks} AS tieBreaks, ${tournaments.lastTieBreak} AS lastTieBreak,
        ${tournaments.registrationDeadline} AS registrationDeadline, ${tournaments.tournamentDate} AS tournamentDate,
        ${tournaments.winnerTeamId} AS winnerTeamId
      FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}`),
    db.all<{ userId: string }>(
      sql`SELECT ${tournamentOrganisers.userId} AS userId FROM ${tournamentOrganisers}
        WHERE ${tournamentOrganisers.tournamentId} = ${tournamentId}`,
    ),
    db.all<Omit<PlayTeam, "members" | "disqualification"> & { disqualification: string | null }>(sql`
      SELECT ${tournamentTeams.id}, ${tournamentTeams.name}, ${tournamentTeams.captainId} AS captainId,
        ${tournamentTeams.state},
        ${tournamentTeams.listedAt} AS listedAt, ${tournamentTeams.checkedInAt} AS checkedInAt,
        ${tournamentTeams.seed}, ${tournamentTeams.place},
        ${tournamentTeams.lastPlace} AS lastPlace, ${tournamentTeams.disqualification}
      FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${tournamentId}`),
    db.all<{ teamId: string; userId: string; isSubstitute: number; isVerified: number; rank: number | null }>(sql`
      SELECT ${p.teamId} AS teamId, ${p.userId} AS userId, ${p.isSubstitute} AS isSubstitute,
        ${f.riotVerifiedAt} IS NOT NULL AS isVerified, ${f.currentRank} AS rank
      FROM ${tournamentPlayers} AS ${p} LEFT JOIN ${profiles} AS ${f} ON ${f.userId} = ${p.userId}
      WHERE ${p.tournamentId} = ${tournamentId}`),
    db.all<Record<keyof PlayMatch, string | number | null>>(
      sql`SELECT ${matchColumns} FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
        ORDER BY ${tournamentMatches.id}`,
    ),
    db.all<{ snapshot: string }>(sql`SELECT ${tournamentBrackets.snapshot} FROM ${tournamentBrackets}
      WHERE ${tournamentBrackets.tournamentId} = ${tournamentId}`),
  ]);
  if (!tournament) return null;
  const { hostId, ...rest } = tournament;
  const members = new Map<string, PlayTeam["members"]>();
  for (const { teamId, userId, isSubstitute, isVerified, rank } of players) {
    const team = members.get(teamId) ?? [];
    members.set(teamId, team);
    team.push({
      userId,
      isSubstitute: Boolean(isSubstitute),
      isVerified: Boolean(isVerified),
      rank: rankAt(rank),
    });
  }
  return {
    ...rest,
    tournamentId,
    organisers: [...new Set([...(hostId ? [hostId] : []), ...organisers.map(({ userId }) => userId)])],
    teams: teams.map((team) => ({
      ...team,
      disqualification: team.disqualification === null ? null : JSON.parse(team.disqualification),
      members: members.get(team.id) ?? [],
    })),
    matches: matches.map(readMatch),
    snapshot: bracket ? (JSON.parse(bracket.snapshot) as Snapshot) : null,
  };
}

/**
 * Whether a team's disqualification can be taken back, in one query. Read for organisers of its tournament alone.
 * @returns null for everybody else, and where the team is not disqualified
 */
export async function findReinstatement(
  db: Database,
  { tournamentId, teamId }: { tournamentId: string; teamId: string },
  userId: string,
): Promise<boolean | null> {
  const [row] = await db.all<Record<"teams" | "matches" | "snapshot", string | null> & TieBreakRules>(sql`
    SELECT (SELECT ${tournamentBrackets.snapshot} FROM ${tournamentBrackets}
      WHERE ${tournamentBrackets.tournamentId} = ${t.id}) AS snapshot, (
        SELECT json_group_array(
          json_object('id', ${tournamentTeams.id}, 'disqualification', json(${tournamentTeams.disqualification}))
        )
        FROM ${tournamentTeams} WHERE ${tournamentTeams.tournamentId} = ${t.id}
          AND ${tournamentTeams.disqualification} IS NOT NULL
      ) AS teams, (
        SELECT json_group_array(json_object('id', id, 'part', part, 'team1', team1_id, 'team2', team2_id, 'state', state,
          'forfeit', forfeit, 'finishedAt', finished_at))
        FROM (SELECT * FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${t.id}
          ORDER BY ${tournamentMatches.id})
      ) AS matches,
      ${t.tieBreaks} AS tieBreaks, ${t.lastTieBreak} AS lastTieBreak
    FROM ${tournamentTeams} AS ${teamRow} JOIN ${tournaments} AS ${t} ON ${t.id} = ${teamRow.tournamentId}
    WHERE ${teamRow.id} = ${teamId} AND ${t.id} = ${tournamentId} AND ${teamRow.disqualification} IS NOT NULL AND (
      ${t.userId} = ${userId} OR EXISTS (
        SELECT 1 FROM ${tournamentOrganisers} AS ${o} WHERE ${o.tournamentId} = ${t.id} AND ${o.userId} = ${userId}
      )
    )`);
  if (!row?.snapshot) return null;
  const read = (json: string | null) => JSON.parse(json as string);
  const { tieBreaks, lastTieBreak } = row;
  const [teams, matches, snapshot] = [row.teams, row.matches, row.snapshot].map(read);
  return mayReinstate({ tieBreaks, lastTieBreak, teams, matches, snapshot }, teamId);
}

/** Whether there is such a tournament. */
export async function isTournament(db: Database, tournamentId: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}`);
  return rows.length > 0;
}

/** Running tournaments in which something is due. @param limit of one run of the cron */
export async function listDue(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT tournament_id AS id FROM (
      SELECT ${m.tournamentId} FROM ${tournamentMatches} AS ${m}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${m.tournamentId}
      WHERE ${m.state} = 'reported' AND ${m.confirmBy} <= ${now} AND ${t.state} = 'running' LIMIT ${limit}
    )
    UNION ALL
    SELECT tournament_id FROM (
      SELECT ${m.tournamentId} FROM ${tournamentMatches} AS ${m}
        JOIN ${tournaments} AS ${t} ON ${t.id} = ${m.tournamentId}
      WHERE ${m.state} = 'ready' AND ${m.overdueToldAt} IS NULL AND ${m.deadlineAt} <= ${now} AND ${t.state} = 'running'
      LIMIT ${limit}
    )`);
  return [...new Set(rows.map(({ id }) => id))];
}

type TournamentColumns = Pick<
  PlayState,
  | "version"
  | "title"
  | "state"
  | "format"
  | "teamSize"
  | "maxParticipants"
  | keyof MatchLengths
  | "groupSize"
  | "thirdPlace"
  | "checkInMinutes"
  | "seeding"
  | "tieBreaks"
  | "lastTieBreak"
  | "registrationDeadline"
  | "tournamentDate"
  | "winnerTeamId"
> & { hostId: string | null };

/** What the room changes of a team. */
const TEAM_FIELDS = [
  "state",
  "seed",
  "place",
  "lastPlace",
  "disqualification",
] as const satisfies readonly (keyof PlayTeam)[];

/** The columns of a match, each under the name of its property. */
const { tournamentId: _, ...MATCH_COLUMNS } = getTableColumns(tournamentMatches) satisfies Record<
  keyof PlayMatch,
  Column
>;

const MATCH_FIELDS = Object.keys(MATCH_COLUMNS) as (keyof PlayMatch)[];

const list = (parts: SQL[]) => sql.join(parts, sql`, `);

const matchColumns = list(MATCH_FIELDS.map((field) => sql`${MATCH_COLUMNS[field]} AS ${sql.identifier(field)}`));

function readMatch(row: Record<keyof PlayMatch, string | number | null>): PlayMatch {
  const json = (value: string | number | null) => (value === null ? null : JSON.parse(String(value)));
  return { ...row, report: json(row.report), maps: json(row.maps) } as PlayMatch;
}

/** Somebody else has changed the tournament meanwhile: it has to be read again. */
export class Outdated extends Error {}

/** What a change told, and whom. */
interface Saved {
  told: { userId: string }[];
}

/**
 * Stores what was decided, all of it or nothing, in one transaction: the tournament's version says whether it was decided on
 * what still holds.
 * @param joins organisers who come into a match's chat
 * @throws Outdated when it does not
 */
export async function savePlay(
  db: Database,
  before: PlayState,
  after: PlayState,
  { events, joins }: { events: readonly PlayEvent[]; joins: readonly { match: number; userId: string }[] },
  now: number,
): Promise<Saved> {
  const { tournamentId } = before;
  const news = newsOf(before, after, events, now);
  const known = new Map(before.teams.map((team) => [team.id, team]));
  const teams = after.teams.filter((team) => {
    const old = known.get(team.id);
    return TEAM_FIELDS.some((field) => old?.[field] !== team[field]);
  });
  const chats = new Set(before.matches.map(({ conversationId }) => conversationId));
  const begun = after.matches.filter(({ conversationId }) => conversationId !== null && !chats.has(conversationId));
  const gone = before.matches.filter(({ id }) => after.matches.every((match) => match.id !== id));
  const changed = changedMatches(before.matches, after.matches);
  const undone = undoneMatches(before, after);
  try {
    const { told } = await transact(db, {
      tournament: storeTournament(db, before, after, now),
      bracket: after.snapshot !== before.snapshot ? storeBracket(db, tournamentId, after.snapshot) : undefined,
      teams: teams.length > 0 ? storeTeams(db, teams) : undefined,
      // A chat is there before the match that names it.
      chats: begun.length > 0 ? beginChats(db, after, begun, now) : undefined,
      gone: gone.length > 0 ? deleteMatches(db, tournamentId, gone) : undefined,
      matches: changed.length > 0 ? storeMatches(db, tournamentId, changed) : undefined,
      players: begun.length > 0 ? addPlayers(db, tournamentId, begun, now) : undefined,
      joins: joins.map((join) => joinChat(db, tournamentId, join, now)),
      events: events.length > 0 ? storeEvents(db, tournamentId, events, now) : undefined,
      // Play-offs that are drawn anew bear the same numbers: what happened in the old ones stays in the tournament's log only.
      eventsOfGone: gone.length > 0 ? detachEvents(db, tournamentId, gone) : undefined,
      undone: undone.length > 0 ? forgetUndone(db, before, undone) : undefined,
      told: tell(db, news, now),
    });
    return { told: told.flat() };
  } catch (error) {
    if (/NOT NULL.*tournaments\.version/i.test(messageOf(error))) throw new Outdated();
    throw error;
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message} ${error.cause === undefined ? "" : messageOf(error.cause)}`
    : String(error);

/** "Semi-final 1: Five Quiet People – Second Site" */
function chatTitle(state: PlayState, match: PlayMatch): string {
  const name = (id: string | null) => state.teams.find((team) => team.id === id)?.name ?? "";
  return `${matchName(match)}: ${name(match.team1)} – ${name(match.team2)}`;
}

function changedMatches(before: readonly PlayMatch[], after: readonly PlayMatch[]): PlayMatch[] {
  const known = new Map(before.map((match) => [match.id, JSON.stringify(MATCH_FIELDS.map((field) => match[field]))]));
  return after.filter((match) => known.get(match.id) !== JSON.stringify(MATCH_FIELDS.map((field) => match[field])));
}

/** Fails unless `version` is still the one that was read, and takes the transaction with it. */
function storeTournament(db: Database, before: PlayState, after: PlayState, now: number) {
  return db.run(sql`
    UPDATE ${tournaments} SET
      ${bare(tournaments.version)} = iif(${tournaments.version} = ${before.version}, ${tournaments.version} + 1, NULL),
      ${bare(tournaments.state)} = ${after.state},
      ${bare(tournaments.startedAt)} = iif(
        ${before.state} = 'open' AND ${after.state} <> 'open', ${now}, ${tournaments.startedAt}
      ),
      ${bare(tournaments.endedAt)} = iif(${after.state} = 'finished', coalesce(${tournaments.endedAt}, ${now}), NULL),
      ${bare(tournaments.winnerTeamId)} = ${after.winnerTeamId},
      ${bare(tournaments.currentParticipants)} = ${after.teams.filter(({ state }) => state === "entered").length},
      ${bare(tournaments.updatedAt)} = ${now}
    WHERE ${tournaments.id} = ${before.tournamentId}`);
}

function storeBracket(db: Database, tournamentId: string, snapshot: PlayState["snapshot"]) {
  return db.run(sql`
    INSERT INTO ${tournamentBrackets} ${columnsOf(tournamentBrackets, "tournamentId", "snapshot")}
    VALUES (${tournamentId}, ${JSON.stringify(snapshot)})
    ON CONFLICT ${columnsOf(tournamentBrackets, "tournamentId")} DO UPDATE
      SET ${bare(tournamentBrackets.snapshot)} = excluded.${bare(tournamentBrackets.snapshot)}`);
}

function storeTeams(db: Database, teams: readonly PlayTeam[]) {
  const changes = JSON.stringify(teams.map(({ members: _, ...team }) => team));
  return db.run(sql`
    UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.state)} = change.state,
      ${bare(tournamentTeams.seed)} = change.seed, ${bare(tournamentTeams.place)} = change.place,
      ${bare(tournamentTeams.lastPlace)} = change.last_place,
        ${bare(tournamentTeams.disqualification)} = change.disqualification
    FROM (
      SELECT json_extract(value, '$.id') AS id, json_extract(value, '$.state') AS state,
        json_extract(value, '$.seed') AS seed, json_extract(value, '$.place') AS place,
        json_extract(value, '$.lastPlace') AS last_place,
        json_extract(value, '$.disqualification') AS disqualification
      FROM json_each(${changes})
    ) AS change
    WHERE ${tournamentTeams.id} = change.id`);
}

function beginChats(db: Database, state: PlayState, begun: readonly PlayMatch[], now: number) {
  const titles = begun.map((match) => ({ id: match.conversationId, title: chatTitle(state, match) }));
  return db.run(sql`
    INSERT INTO ${conversations} ${columnsOf(conversations, "id", "title", "createdAt")}
    SELECT json_extract(value, '$.id'), json_extract(value, '$.title'), ${now}
      FROM json_each(${JSON.stringify(titles)})`);
}

const idsOf = (matches: readonly PlayMatch[]) => JSON.stringify(matches.map(({ id }) => id));

function deleteMatches(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    DELETE FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
      AND ${tournamentMatches.id} IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

/** The players of both teams come into the chats of matches that have just begun. */
function addPlayers(db: Database, tournamentId: string, begun: readonly PlayMatch[], now: number) {
  return db.run(sql`
    INSERT INTO ${conversationMembers} ${columnsOf(
      conversationMembers,
      "conversationId",
      "userId",
      "listedAt",
      "joinedAt",
    )}
    SELECT ${m.conversationId}, ${p.userId}, 0, ${now}
    FROM json_each(${idsOf(begun)})
    CROSS JOIN ${tournamentMatches} AS ${m} ON ${m.tournamentId} = ${tournamentId} AND ${m.id} = json_each.value
    JOIN ${tournamentPlayers} AS ${p} ON ${p.teamId} IN (${m.team1}, ${m.team2})
    WHERE true ON CONFLICT DO NOTHING`);
}

/** An organiser comes into a match's chat. */
function joinChat(
  db: Database,
  tournamentId: string,
  { match, userId }: { match: number; userId: string },
  now: number,
) {
  return db.run(sql`
    INSERT INTO ${conversationMembers} ${columnsOf(
      conversationMembers,
      "conversationId",
      "userId",
      "listedAt",
      "lastReadSeq",
      "joinedAt",
    )}
    SELECT ${c.id}, ${userId}, coalesce(${c.lastMessageAt}, 0), ${c.lastSeq}, ${now}
    FROM ${tournamentMatches} AS ${m} JOIN ${conversations} AS ${c} ON ${c.id} = ${m.conversationId}
    WHERE ${m.tournamentId} = ${tournamentId} AND ${m.id} = ${match}
    ON CONFLICT DO NOTHING`);
}

function detachEvents(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    UPDATE ${tournamentEvents} SET ${bare(tournamentEvents.matchId)} = NULL
      WHERE ${tournamentEvents.tournamentId} = ${tournamentId}
      AND ${tournamentEvents.matchId} IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

/** However many matches have changed, they travel as one parameter. */
function storeMatches(db: Database, tournamentId: string, matches: readonly PlayMatch[]) {
  const columns = list(MATCH_FIELDS.map((field) => bare(MATCH_COLUMNS[field])));
  const values = list(MATCH_FIELDS.map((field) => sql`json_extract(value, ${sql.raw(`'$.${field}'`)})`));
  const updates = list(
    MATCH_FIELDS.filter((field) => field !== "id").map((field) => {
      const column = bare(MATCH_COLUMNS[field]);
      return sql`${column} = excluded.${column}`;
    }),
  );
  return db.run(sql`
    INSERT INTO ${tournamentMatches} (${bare(tournamentMatches.tournamentId)}, ${columns})
    SELECT ${tournamentId}, ${values} FROM json_each(${JSON.stringify(matches)}) WHERE true
    ON CONFLICT ${columnsOf(tournamentMatches, "tournamentId", "id")} DO UPDATE SET ${updates}`);
}

function storeEvents(db: Database, tournamentId: string, events: readonly PlayEvent[], now: number) {
  // One moment for all of them: the log tells the cause before what follows from it.
  const rows = events.map((event, place) => ({ ...event, id: uuidv7(now, place) }));
  return db.run(sql`
    INSERT INTO ${tournamentEvents} ${columnsOf(
      tournamentEvents,
      "id",
      "tournamentId",
      "matchId",
      "actorId",
      "action",
      "details",
      "createdAt",
    )}
    SELECT json_extract(value, '$.id'), ${tournamentId}, json_extract(value, '$.match'),
      json_extract(value, '$.actorId'),
      json_extract(value, '$.action'), json_extract(value, '$.details'), ${now}
    FROM json_each(${JSON.stringify(rows)})`);
}

/** The statement that takes back what players have heard and a rollback has made untrue. */
function forgetUndone(db: Database, { tournamentId, teams, organisers }: PlayState, undone: readonly PlayMatch[]) {
  const among = (values: readonly string[]) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
  return db.run(sql`
    DELETE FROM ${notifications}
    WHERE ${notifications.userId} ${among([...organisers, ...teams.flatMap(({ members }) => members.map(({ userId }) => userId))])}
      AND ${notifications.kind} IN ('match-ready', 'match-report', 'match-result', 'match-dispute',
        'tournament-finished')
      AND ${notifications.subject} ${among([`tournament:${tournamentId}`, ...undone.map(({ id }) => matchSubject(tournamentId, id))])}`);
}

/** One statement for each kind of news. An account that has just gone is told nothing. */
function tell(db: Database, news: readonly PlayNews[], now: number) {
  const kinds = new Map<NewsKind, PlayNews[]>();
  for (const piece of news) kinds.set(piece.kind, [...(kinds.get(piece.kind) ?? []), piece]);
  const recipients = (pieces: readonly PlayNews[]): SQL => sql`
    SELECT ${users.id} AS user_id, json_extract(value, '$.subject') AS subject, json_extract(value, '$.data') AS data
    FROM json_each(${JSON.stringify(pieces)}) JOIN ${users} ON ${users.id} = json_extract(value, '$.userId')`;
  return [...kinds.entries()].map(([kind, pieces]) =>
    notify(db, {
      kind,
      subject: sql`to_tell.subject`,
      data: sql`to_tell.data`,
      recipients: recipients(pieces),
      now,
    }),
  );
}
