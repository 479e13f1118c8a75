import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import {
  notifications,
  tournamentBrackets,
  tournamentEvents,
  tournamentMatches,
  tournaments,
  tournamentTeams,
  users,
} from "#db/schema";
import { bare, columnsOf, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { raiseFlags } from "~/features/flags/shared/raise.server";
import { noteReopening } from "~/features/follow-ups/shared/note.server";
import { isLimited } from "~/features/moderation/shared/limits.server";
import { notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { type NewsSubjectSql, subjectOf } from "~/features/notifications/shared/subjects";
import { failsWith } from "~/platform/database";
import { replaceCaptains } from "../shared/captains.server";
import { isEvidenceHidden } from "../shared/evidence.server";
import { MATCH_CALLS, resolveCalls } from "../shared/tournament-news.server";
import { addPlayers, createChats, joinChat } from "./chats.server";
import type { PlayEvent } from "./decision";
import { idsOf, list, MATCH_COLUMNS, MATCH_FIELDS } from "./match-sql.server";
import {
  disputedAfterReport,
  endedMatches,
  lostByes,
  newsOf,
  noLongerCheckingIn,
  noLongerOverdue,
  type PlayNews,
  undoneMatches,
} from "./news";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

/** The fields of a team that the room changes. */
const TEAM_FIELDS = [
  "state",
  "seed",
  "place",
  "lastPlace",
  "disqualification",
] as const satisfies readonly (keyof PlayTeam)[];

/** Thrown if someone else has changed the tournament in the meantime: it must then be read again. */
export class Outdated extends Error {}

/** The people and pages that a change concerns. */
export interface Saved {
  /**
   * The players who were told of the change, or whose news it made untrue or out of date; some occur several times.
   */
  notified: { userId: string }[];
  /** Whether our checks have found something in the change's texts. If so, a case may be waiting for moderators. */
  isFlagged: boolean;
  /** The chats of the matches whose logs have a new entry, by conversation id. */
  chats: string[];
  /** The chats that organisers have joined, by conversation id; absent in a change that an earlier version stored. */
  joined?: string[];
}

/**
 * Thrown if the database failed with the error `cause`: the change may have been stored although the response was lost.
 */
export class Unconfirmed extends Error {
  /** @param change what the change concerns if it is stored; `notified` are all who may have been told */
  constructor(
    cause: unknown,
    readonly change: Saved,
  ) {
    super("The database didn't confirm a change.", { cause });
  }
}

/**
 * Stores a decision, all of it or nothing, in one transaction. The tournament's version shows whether the decision was
 * based on the current state.
 * @param joins organisers who join a match's chat
 * @param origin the site's origin, if it is known: links to it are never flagged
 * @throws Outdated if the decision was based on an older state, or moderators forbid its evidence
 * @throws Unconfirmed if the database fails
 */
export async function savePlay(
  db: Database,
  before: PlayState,
  after: PlayState,
  { events, joins }: { events: readonly PlayEvent[]; joins: readonly { match: number; userId: string }[] },
  now: number,
  origin: string | undefined,
): Promise<Saved> {
  const { tournamentId } = before;
  const news = newsOf(before, after, events, now);
  const known = new Map(before.teams.map((team) => [team.id, team]));
  const teams = after.teams.filter((team) => {
    const old = known.get(team.id);
    return TEAM_FIELDS.some((field) => old?.[field] !== team[field]);
  });
  const chats = new Set(before.matches.map(({ conversationId }) => conversationId));
  const opened = after.matches.filter(({ conversationId }) => conversationId !== null && !chats.has(conversationId));
  const removed = before.matches.filter(({ id }) => after.matches.every((match) => match.id !== id));
  const changed = changedMatches(before.matches, after.matches);
  const undone = [...undoneMatches(before, after), ...lostByes(before, after)];
  const answered = [
    { calls: MATCH_CALLS, matches: endedMatches(before, after) },
    { calls: newsKinds("match-ready"), matches: noLongerCheckingIn(before, after) },
    { calls: newsKinds("match-report"), matches: disputedAfterReport(before, after) },
    { calls: newsKinds("match-dispute"), matches: noLongerOverdue(before, after) },
  ].filter(({ matches }) => matches.length > 0);
  const writing = { db, now: new Date(now), origin };
  const flags = events.flatMap((event) => Object.values(flagWords(writing, tournamentId, event) ?? {}));
  const isStarted = before.state === "open" && after.state !== "open";
  const isReopened = before.state === "finished" && after.state === "running";
  const told = {
    isFlagged: flags.length > 0,
    chats: chatsOf(events, after),
    joined: chatsOf(joins, after),
  };
  try {
    const { forgotten, tooLate, resolved, notified, captains } = await transact(db, {
      tournament: storeTournament(db, before, after, mayWrite(events, now), now),
      bracket: after.snapshot !== before.snapshot ? storeBracket(db, tournamentId, after.snapshot) : undefined,
      teams: teams.length > 0 ? storeTeams(db, teams) : undefined,
      // Chats come before the matches that refer to them.
      chats: opened.length > 0 ? createChats(db, after, opened, now) : undefined,
      gone: removed.length > 0 ? deleteMatches(db, tournamentId, removed) : undefined,
      matches: changed.length > 0 ? storeMatches(db, tournamentId, changed) : undefined,
      players: opened.length > 0 ? addPlayers(db, tournamentId, opened, now) : undefined,
      joins: joins.map((join) => joinChat(db, tournamentId, join, now)),
      events: events.length > 0 ? storeEvents(db, tournamentId, events, now) : undefined,
      // Play-offs that are drawn again get the same match ids, so events of the old ones stay in the tournament's log
      // only.
      eventsOfGone: removed.length > 0 ? detachEvents(db, tournamentId, removed) : undefined,
      forgotten: undone.length > 0 ? forgetUndone(db, before, undone) : undefined,
      flags,
      // Comes before the news, which calls the first matches.
      tooLate: isStarted ? resolveCalls(db, tournamentId, now) : undefined,
      // Likewise: a match that was overdue may be disputed now.
      resolved: answered.map((which) => resolveMatchCalls(db, after, which, now)),
      notified: notifyPlayers(db, news, now),
      // Players who lost their accounts after the tournament's end haven't left it.
      departures: isReopened ? noteReopening(db, tournamentId, new Date(now)) : undefined,
      captains: isReopened ? replaceCaptains(db, tournamentId, now) : undefined,
    });
    return {
      notified: [notified.flat(), forgotten, tooLate, ...resolved, captains?.notified].flatMap(
        (players) => players ?? [],
      ),
      ...told,
    };
  } catch (error) {
    if (failsWith(error, /NOT NULL.*tournaments\.version/i)) throw new Outdated();
    const concernsAll = isStarted || answered.length > 0 || undone.length > 0 || isReopened;
    const people = concernsAll ? everyoneIn(before) : news.map(({ userId }) => userId);
    throw new Unconfirmed(error, { notified: people.map((userId) => ({ userId })), ...told });
  }
}

/** Lists the chats of the matches that some events, or organisers who join, are about. */
function chatsOf(changes: readonly { match: number | null }[], { matches }: PlayState): string[] {
  const changed = new Set(changes.map(({ match }) => match));
  return matches.flatMap(({ id, conversationId }) => (changed.has(id) && conversationId ? [conversationId] : []));
}

/** Returns the organisers and players of a tournament. */
const everyoneIn = ({ organisers, teams }: PlayState): string[] => [
  ...organisers,
  ...teams.flatMap(({ members }) => members.map(({ userId }) => userId)),
];

function changedMatches(before: readonly PlayMatch[], after: readonly PlayMatch[]): PlayMatch[] {
  const known = new Map(before.map((match) => [match.id, JSON.stringify(MATCH_FIELDS.map((field) => match[field]))]));
  return after.filter((match) => known.get(match.id) !== JSON.stringify(MATCH_FIELDS.map((field) => match[field])));
}

/**
 * True unless moderators have limited a player whose evidence is about to be stored, because it counts as a message, or
 * have hidden the same text by this player. `play` hasn't read either if it already knew the state.
 */
function mayWrite(events: readonly PlayEvent[], now: number): SQL {
  const conditions = events.flatMap(({ action, actorId, details: { evidence } }) =>
    action === "disputed" && typeof evidence === "string" && actorId !== null
      ? [sql`NOT ${isLimited(actorId, "messaging", now)}`, sql`NOT ${isEvidenceHidden(actorId, evidence)}`]
      : [],
  );
  return sql.join([sql`1`, ...conditions], sql` AND `);
}

/**
 * Builds the statement that stores the tournament. It fails, and so rolls the transaction back, unless `version` is
 * still the one that was read, and `condition` holds.
 */
function storeTournament(db: Database, before: PlayState, after: PlayState, condition: SQL, now: number) {
  return db.run(sql`
    UPDATE ${tournaments} SET
      ${bare(tournaments.version)} = iif(
        ${tournaments.version} = ${before.version} AND ${condition}, ${tournaments.version} + 1, NULL
      ),
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

function deleteMatches(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    DELETE FROM ${tournamentMatches} WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
      AND ${tournamentMatches.id} IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

function detachEvents(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    UPDATE ${tournamentEvents} SET ${bare(tournamentEvents.matchId)} = NULL
      WHERE ${tournamentEvents.tournamentId} = ${tournamentId}
      AND ${tournamentEvents.matchId} IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

/** Stores the changed matches, all passed in a single parameter. */
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
  // All events share one moment. The counter in their ids keeps a cause before its effects in the log.
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

const among = (values: readonly string[]) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;

/**
 * Deletes the notifications that undone results have made untrue.
 * @returns the statement, whose result is the players who have lost them
 */
function forgetUndone(db: Database, state: PlayState, undone: readonly PlayMatch[]) {
  const { tournamentId } = state;
  const subjects = [
    subjectOf("tournament", tournamentId),
    ...undone.map(({ id }) => subjectOf("match", tournamentId, id)),
  ];
  const untrue = newsKinds("match-ready", "match-report", "match-result", "match-dispute", "tournament-finished");
  return db.all<{ userId: string }>(sql`
    DELETE FROM ${notifications}
    WHERE ${notifications.userId} ${among(everyoneIn(state))}
      AND ${notifications.kind} IN (${untrue})
      AND ${notifications.subject} ${among(subjects)}
    RETURNING ${notifications.userId} AS userId`);
}

/**
 * Builds the statement that marks calls to act in matches as read because they are out of date. Its result lists the
 * players and organisers.
 */
function resolveMatchCalls(
  db: Database,
  { tournamentId, teams, organisers }: PlayState,
  { calls, matches }: { calls: SQL; matches: readonly PlayMatch[] },
  now: number,
) {
  const sides = new Set(matches.flatMap(({ team1, team2 }) => [team1, team2]));
  const players = teams.flatMap(({ id, members }) => (sides.has(id) ? members.map(({ userId }) => userId) : []));
  return resolveOutdated(
    db,
    sql`${notifications.userId} ${among([...organisers, ...players])} AND ${notifications.kind} IN (${calls})
      AND ${notifications.subject} ${among(matches.map(({ id }) => subjectOf("match", tournamentId, id)))}`,
    now,
  );
}

/**
 * Builds the statements that put an organiser's reason, or a captain's evidence, on the moderators' queue if our checks
 * find something in it.
 */
function flagWords(
  writing: Parameters<typeof raiseFlags>[0],
  tournamentId: string,
  { action, actorId, details }: PlayEvent,
) {
  if (actorId === null) return undefined;
  if (action === "disqualified" && typeof details.reason === "string") {
    const tournament = { kind: "tournament", id: tournamentId } as const;
    return raiseFlags(writing, tournament, { disqualifications: details.reason }, actorId);
  }
  if (action === "disputed" && typeof details.evidence === "string") {
    return raiseFlags(writing, { kind: "player", id: actorId }, { disputes: details.evidence }, actorId);
  }
  return undefined;
}

/** Builds one statement per kind of news. Deleted accounts get none. */
function notifyPlayers(db: Database, news: readonly PlayNews[], now: number) {
  const kinds = new Map<NewsKind, PlayNews[]>();
  for (const piece of news) kinds.set(piece.kind, [...(kinds.get(piece.kind) ?? []), piece]);
  const recipients = (pieces: readonly PlayNews[]): SQL => sql`
    SELECT ${users.id} AS user_id, json_extract(value, '$.subject') AS subject,
      iif(${hasBlocked(sql`${users.id}`, sql`json_extract(value, '$.reasonBy')`)},
        json_set(json_extract(value, '$.data'), '$.reason', NULL), json_extract(value, '$.data')) AS data
    FROM json_each(${JSON.stringify(pieces)}) JOIN ${users} ON ${users.id} = json_extract(value, '$.userId')`;
  return [...kinds.entries()].map(([kind, pieces]) =>
    notify(db, {
      kind,
      // From `newsOf`.
      subject: sql`to_tell.subject` as NewsSubjectSql,
      data: sql`to_tell.data`,
      recipients: recipients(pieces),
      now,
    }),
  );
}
