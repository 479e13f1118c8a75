import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { uuidv7 } from "#db/ids";
import { transact } from "#db/statements";
import type { NewsKind } from "#db/words/news-kinds";
import { notify } from "~/features/notifications/shared/notify.server";
import { rankAt } from "~/game/ranks";
import type { Snapshot } from "../bracket/snapshot";
import { matchName } from "../shared/match-names";
import type { MatchLengths } from "../stages";
import type { PlayEvent } from "./decision";
import { mayReinstate, type Played } from "./disqualify";
import { matchSubject, newsOf, type PlayNews, undoneMatches } from "./news";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

/** Reads all that a tournament's room must know, in one round trip; null when there is no such tournament. */
export async function loadPlay(db: Database, tournamentId: string): Promise<PlayState | null> {
  const [[tournament], organisers, teams, players, matches, [bracket]] = await Promise.all([
    db.all<TournamentColumns>(sql`
      SELECT user_id AS hostId, version, title, state, format, team_size AS teamSize,
        max_participants AS maxParticipants, best_of AS bestOf, quarter_best_of AS quarterBestOf, semi_best_of AS semiBestOf,
        lower_final_best_of AS lowerFinalBestOf, final_best_of AS finalBestOf, grand_final AS grandFinal,
        group_size AS groupSize, third_place AS thirdPlace,
        check_in_minutes AS checkInMinutes, seeding, tie_breaks AS tieBreaks, last_tie_break AS lastTieBreak,
        registration_deadline AS registrationDeadline, tournament_date AS tournamentDate,
        winner_team_id AS winnerTeamId
      FROM tournaments WHERE id = ${tournamentId}`),
    db.all<{ userId: string }>(
      sql`SELECT user_id AS userId FROM tournament_organisers WHERE tournament_id = ${tournamentId}`,
    ),
    db.all<Omit<PlayTeam, "members" | "disqualification"> & { disqualification: string | null }>(sql`
      SELECT id, name, captain_id AS captainId, state, listed_at AS listedAt, checked_in_at AS checkedInAt, seed, place,
        last_place AS lastPlace, disqualification
      FROM tournament_teams WHERE tournament_id = ${tournamentId}`),
    db.all<{ teamId: string; userId: string; isSubstitute: number; isVerified: number; rank: number | null }>(sql`
      SELECT p.team_id AS teamId, p.user_id AS userId, p.is_substitute AS isSubstitute,
        f.riot_verified_at IS NOT NULL AS isVerified, f.current_rank AS rank
      FROM tournament_players AS p LEFT JOIN profiles AS f ON f.user_id = p.user_id
      WHERE p.tournament_id = ${tournamentId}`),
    db.all<Record<keyof PlayMatch, string | number | null>>(
      sql`SELECT ${matchColumns} FROM tournament_matches WHERE tournament_id = ${tournamentId} ORDER BY id`,
    ),
    db.all<{ snapshot: string }>(sql`SELECT snapshot FROM tournament_brackets WHERE tournament_id = ${tournamentId}`),
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
  const [row] = await db.all<Record<keyof Played, string | null>>(sql`
    SELECT (SELECT snapshot FROM tournament_brackets WHERE tournament_id = t.id) AS snapshot, (
        SELECT json_group_array(json_object('id', id, 'disqualification', json(disqualification)))
        FROM tournament_teams WHERE tournament_id = t.id AND disqualification IS NOT NULL
      ) AS teams, (
        SELECT json_group_array(json_object('id', id, 'team1', team1_id, 'team2', team2_id, 'state', state,
          'forfeit', forfeit, 'finishedAt', finished_at))
        FROM (SELECT * FROM tournament_matches WHERE tournament_id = t.id ORDER BY id)
      ) AS matches
    FROM tournament_teams AS team JOIN tournaments AS t ON t.id = team.tournament_id
    WHERE team.id = ${teamId} AND t.id = ${tournamentId} AND team.disqualification IS NOT NULL AND (
      t.user_id = ${userId} OR EXISTS (
        SELECT 1 FROM tournament_organisers AS o WHERE o.tournament_id = t.id AND o.user_id = ${userId}
      )
    )`);
  if (!row?.snapshot) return null;
  const read = (json: string | null) => JSON.parse(json as string);
  return mayReinstate(
    { teams: read(row.teams), matches: read(row.matches), snapshot: read(row.snapshot) as Snapshot },
    teamId,
  );
}

/** Whether there is such a tournament. */
export async function isTournament(db: Database, tournamentId: string): Promise<boolean> {
  const rows = await db.all(sql`SELECT 1 FROM tournaments WHERE id = ${tournamentId}`);
  return rows.length > 0;
}

/** Running tournaments in which something is due. @param limit of one run of the cron */
export async function listDue(db: Database, now: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT tournament_id AS id FROM (
      SELECT m.tournament_id FROM tournament_matches AS m JOIN tournaments AS t ON t.id = m.tournament_id
      WHERE m.state = 'reported' AND m.confirm_by <= ${now} AND t.state = 'running' LIMIT ${limit}
    )
    UNION ALL
    SELECT tournament_id FROM (
      SELECT m.tournament_id FROM tournament_matches AS m JOIN tournaments AS t ON t.id = m.tournament_id
      WHERE m.state = 'ready' AND m.overdue_told_at IS NULL AND m.deadline_at <= ${now} AND t.state = 'running'
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

/** Where each property of a match is kept. */
const MATCH_COLUMNS: Record<keyof PlayMatch, string> = {
  id: "id",
  part: "part",
  group: "group_number",
  round: "round",
  rounds: "rounds",
  number: "number",
  bestOf: "best_of",
  advantage: "advantage",
  source1: "source1",
  source2: "source2",
  team1: "team1_id",
  team2: "team2_id",
  score1: "score1",
  score2: "score2",
  rounds1: "rounds1",
  rounds2: "rounds2",
  winner: "winner",
  forfeit: "forfeit",
  state: "state",
  readyAt: "ready_at",
  deadlineAt: "deadline_at",
  overdueToldAt: "overdue_told_at",
  checkedIn1: "checked_in1_at",
  checkedIn2: "checked_in2_at",
  reporter: "reporter",
  report: "report",
  reportedAt: "reported_at",
  confirmBy: "confirm_by",
  disputer: "disputer",
  dispute: "dispute",
  maps: "maps",
  finishedAt: "finished_at",
  conversationId: "conversation_id",
};

const MATCH_FIELDS = Object.entries(MATCH_COLUMNS) as [keyof PlayMatch, string][];

const matchColumns = sql.raw(MATCH_FIELDS.map(([field, column]) => `${column} AS "${field}"`).join(", "));

function readMatch(row: Record<keyof PlayMatch, string | number | null>): PlayMatch {
  const json = (value: string | number | null) => (value === null ? null : JSON.parse(String(value)));
  return { ...row, report: json(row.report), maps: json(row.maps) } as PlayMatch;
}

/** Somebody else has changed the tournament meanwhile: it has to be read again. */
export class Outdated extends Error {}

/** What a change told, and whom. */
export interface Saved {
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
  const known = new Map(before.map((match) => [match.id, JSON.stringify(MATCH_FIELDS.map(([field]) => match[field]))]));
  return after.filter((match) => known.get(match.id) !== JSON.stringify(MATCH_FIELDS.map(([field]) => match[field])));
}

/** Fails unless `version` is still the one that was read, and takes the transaction with it. */
function storeTournament(db: Database, before: PlayState, after: PlayState, now: number) {
  return db.run(sql`
    UPDATE tournaments SET
      version = iif(version = ${before.version}, version + 1, NULL),
      state = ${after.state},
      started_at = iif(${before.state} = 'open' AND ${after.state} <> 'open', ${now}, started_at),
      ended_at = iif(${after.state} = 'finished', coalesce(ended_at, ${now}), NULL),
      winner_team_id = ${after.winnerTeamId},
      current_participants = ${after.teams.filter(({ state }) => state === "entered").length},
      updated_at = ${now}
    WHERE id = ${before.tournamentId}`);
}

function storeBracket(db: Database, tournamentId: string, snapshot: PlayState["snapshot"]) {
  return db.run(sql`
    INSERT INTO tournament_brackets (tournament_id, snapshot)
    VALUES (${tournamentId}, ${JSON.stringify(snapshot)})
    ON CONFLICT (tournament_id) DO UPDATE SET snapshot = excluded.snapshot`);
}

function storeTeams(db: Database, teams: readonly PlayTeam[]) {
  const changes = JSON.stringify(teams.map(({ members: _, ...team }) => team));
  return db.run(sql`
    UPDATE tournament_teams SET state = change.state, seed = change.seed, place = change.place,
      last_place = change.last_place, disqualification = change.disqualification
    FROM (
      SELECT json_extract(value, '$.id') AS id, json_extract(value, '$.state') AS state,
        json_extract(value, '$.seed') AS seed, json_extract(value, '$.place') AS place,
        json_extract(value, '$.lastPlace') AS last_place,
        json_extract(value, '$.disqualification') AS disqualification
      FROM json_each(${changes})
    ) AS change
    WHERE tournament_teams.id = change.id`);
}

function beginChats(db: Database, state: PlayState, begun: readonly PlayMatch[], now: number) {
  const titles = begun.map((match) => ({ id: match.conversationId, title: chatTitle(state, match) }));
  return db.run(sql`
    INSERT INTO conversations (id, title, created_at)
    SELECT json_extract(value, '$.id'), json_extract(value, '$.title'), ${now} FROM json_each(${JSON.stringify(titles)})`);
}

const idsOf = (matches: readonly PlayMatch[]) => JSON.stringify(matches.map(({ id }) => id));

function deleteMatches(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    DELETE FROM tournament_matches WHERE tournament_id = ${tournamentId}
      AND id IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

/** The players of both teams come into the chats of matches that have just begun. */
function addPlayers(db: Database, tournamentId: string, begun: readonly PlayMatch[], now: number) {
  return db.run(sql`
    INSERT INTO conversation_members (conversation_id, user_id, listed_at, joined_at)
    SELECT m.conversation_id, p.user_id, 0, ${now}
    FROM json_each(${idsOf(begun)})
    CROSS JOIN tournament_matches AS m ON m.tournament_id = ${tournamentId} AND m.id = json_each.value
    JOIN tournament_players AS p ON p.team_id IN (m.team1_id, m.team2_id)
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
    INSERT INTO conversation_members (conversation_id, user_id, listed_at, last_read_seq, joined_at)
    SELECT c.id, ${userId}, coalesce(c.last_message_at, 0), c.last_seq, ${now}
    FROM tournament_matches AS m JOIN conversations AS c ON c.id = m.conversation_id
    WHERE m.tournament_id = ${tournamentId} AND m.id = ${match}
    ON CONFLICT DO NOTHING`);
}

function detachEvents(db: Database, tournamentId: string, gone: readonly PlayMatch[]) {
  return db.run(sql`
    UPDATE tournament_events SET match_id = NULL WHERE tournament_id = ${tournamentId}
      AND match_id IN (SELECT value FROM json_each(${idsOf(gone)}))`);
}

/** However many matches have changed, they travel as one parameter. */
function storeMatches(db: Database, tournamentId: string, matches: readonly PlayMatch[]) {
  const columns = sql.raw(MATCH_FIELDS.map(([, column]) => column).join(", "));
  const values = sql.raw(MATCH_FIELDS.map(([field]) => `json_extract(value, '$.${field}')`).join(", "));
  const updates = sql.raw(
    MATCH_FIELDS.filter(([field]) => field !== "id")
      .map(([, column]) => `${column} = excluded.${column}`)
      .join(", "),
  );
  return db.run(sql`
    INSERT INTO tournament_matches (tournament_id, ${columns})
    SELECT ${tournamentId}, ${values} FROM json_each(${JSON.stringify(matches)}) WHERE true
    ON CONFLICT (tournament_id, id) DO UPDATE SET ${updates}`);
}

function storeEvents(db: Database, tournamentId: string, events: readonly PlayEvent[], now: number) {
  // One moment for all of them: the log tells the cause before what follows from it.
  const rows = events.map((event, place) => ({ ...event, id: uuidv7(now, place) }));
  return db.run(sql`
    INSERT INTO tournament_events (id, tournament_id, match_id, actor_id, action, details, created_at)
    SELECT json_extract(value, '$.id'), ${tournamentId}, json_extract(value, '$.match'), json_extract(value, '$.actorId'),
      json_extract(value, '$.action'), json_extract(value, '$.details'), ${now}
    FROM json_each(${JSON.stringify(rows)})`);
}

/** The statement that takes back what players have heard and a rollback has made untrue. */
function forgetUndone(db: Database, { tournamentId, teams, organisers }: PlayState, undone: readonly PlayMatch[]) {
  const among = (values: readonly string[]) => sql`IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
  return db.run(sql`
    DELETE FROM notifications
    WHERE user_id ${among([...organisers, ...teams.flatMap(({ members }) => members.map(({ userId }) => userId))])}
      AND kind IN ('match-ready', 'match-report', 'match-result', 'match-dispute', 'tournament-finished')
      AND subject ${among([`tournament:${tournamentId}`, ...undone.map(({ id }) => matchSubject(tournamentId, id))])}`);
}

/** One statement for each kind of news. An account that has just gone is told nothing. */
function tell(db: Database, news: readonly PlayNews[], now: number) {
  const kinds = new Map<NewsKind, PlayNews[]>();
  for (const piece of news) kinds.set(piece.kind, [...(kinds.get(piece.kind) ?? []), piece]);
  const recipients = (pieces: readonly PlayNews[]): SQL => sql`
    SELECT users.id AS user_id, json_extract(value, '$.subject') AS subject, json_extract(value, '$.data') AS data
    FROM json_each(${JSON.stringify(pieces)}) JOIN users ON users.id = json_extract(value, '$.userId')`;
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
