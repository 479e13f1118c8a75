import { RANKS } from "../../game/ranks";
import { drawBracket } from "../bracket/draw";
import { enterResult, hangingOn, type Result, reopenMatch } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { champion, standings } from "../bracket/standings";
import { findScoreProblem, isSameScore, type MapResult, mapScore } from "../scores";
import type { Command, Refusal, Side } from "./commands";
import { begunAnew, rowsOf } from "./rows";
import { otherSide, type PlayMatch, type PlayState, type PlayTeam, teamOf } from "./state";

/*
 * What a tournament's room decides: a state and a command in, the next state out, or why not. Pure, so that every rule can be
 * tried without a room; the room sees to it that commands come one after the other.
 */

const MINUTE = 60_000;

/** How long a report waits for the other captain before it counts. Milliseconds. */
const CONFIRMATION_TIME = 15 * MINUTE;
/** How long teams have to check in once both are known. Milliseconds. */
const CHECK_IN_TIME = 15 * MINUTE;
/** How long one map may take until the organisers are told that a match is overdue. Milliseconds. */
const TIME_PER_MAP = 60 * MINUTE;

/** Something that was done: for the log, and for those who are told of it. */
export interface PlayEvent {
  action:
    | "started"
    | "checked-in"
    | "reported"
    | "confirmed"
    | "counted"
    | "disputed"
    | "forfeited"
    | "claimed"
    | "ruled"
    | "reopened"
    | "overdue"
    | "won";
  match: number | null;
  /** Null for what happens by itself. */
  actorId: string | null;
  details: Record<string, string | number | null>;
}

export type Decision =
  | { ok: true; state: PlayState; events: PlayEvent[]; joins?: { match: number; userId: string } }
  | { ok: false; reason: Refusal };

const refuse = (reason: Refusal): Decision => ({ ok: false, reason });

/** What chance decides, and what the database calls a new conversation. */
export interface Chance {
  /** Puts a list in any order. */
  shuffle<T>(list: readonly T[]): T[];
  newId(): string;
}

/**
 * Decides on one command.
 * @param actorId who asks; null for what happens by itself
 * @param now in milliseconds since 1970
 */
export async function decide(
  state: PlayState,
  actorId: string | null,
  command: Command,
  now: number,
  chance: Chance,
): Promise<Decision> {
  if (command.type === "start") return start(state, actorId, now, chance);
  const isLater = command.type === "reopen" || command.type === "join-chat";
  if (state.state !== "running" && !(state.state === "finished" && isLater)) {
    return command.type === "settle" ? { ok: true, state, events: [] } : refuse("not-running");
  }
  if (command.type === "settle") return settle(state, now, chance);
  const found = state.matches.find(({ id }) => id === command.match);
  if (!found || found.state === "idle" || found.state === "bye") return refuse("no-match");
  const isOrganiser = actorId !== null && state.organisers.includes(actorId);
  switch (command.type) {
    case "reopen":
      return isOrganiser ? reopen(state, found, command.expects, actorId, now, chance) : refuse("not-organiser");
    case "join-chat":
      if (!isOrganiser) return refuse("not-organiser");
      if (found.conversationId === null) return refuse("no-chat");
      return { ok: true, state, events: [], joins: { match: found.id, userId: actorId } };
    default:
  }
  // Said once more, what was done is done: a form sent twice is no mistake.
  if (found.state === "finished") return refuse("finished");
  if (found.state === "waiting") return refuse("locked");
  const match = begun(found, now, chance);
  if (command.type === "rule") {
    if (!isOrganiser) return refuse("not-organiser");
    if ("forfeits" in command) {
      return finish(state, match, { forfeits: command.forfeits }, event("ruled", match, actorId, {}), now, chance);
    }
    if (findScoreProblem(command.maps, match.bestOf)) return refuse("bad-score");
    return finish(state, match, { maps: command.maps }, event("ruled", match, actorId, {}), now, chance);
  }
  if (command.type === "check-in") return checkIn(state, match, actorId, now);
  const side = captainsSide(state, match, actorId);
  if (side === null) return refuse("not-captain");
  switch (command.type) {
    case "report":
      return report(state, match, side, command.maps, actorId, now, chance);
    case "confirm":
      if (match.state === "disputed") return refuse("disputed");
      if (match.state !== "reported" || match.report === null) return refuse("nothing-reported");
      if (match.reporter === side) return refuse("own-report");
      // Nobody confirms what they have not seen.
      if (match.reportedAt !== command.expects) return refuse("report-changed");
      return confirm(state, match, match.report, actorId, now, chance);
    case "dispute":
      if (match.state === "disputed") return refuse("disputed");
      return changed(
        state,
        { ...match, state: "disputed", disputer: side, dispute: command.evidence, confirmBy: null },
        // The match forgets it when it is opened again; and it concerns these two teams alone.
        event("disputed", match, actorId, {
          team: nameOf(state, teamOf(match, side)),
          evidence: command.evidence,
          team1: match.team1,
          team2: match.team2,
        }),
      );
    case "forfeit":
      return finish(state, match, { forfeits: side }, event("forfeited", match, actorId, {}), now, chance);
    case "claim":
      if (match.state !== "ready") return refuse(match.state === "disputed" ? "disputed" : "they-are-here");
      if (checkedIn(match, side) === null) return refuse("check-in-first");
      if (checkedIn(match, otherSide(side)) !== null) return refuse("they-are-here");
      if (match.deadlineAt === null || now < match.deadlineAt) return refuse("too-early");
      return finish(state, match, { forfeits: otherSide(side) }, event("claimed", match, actorId, {}), now, chance);
    default:
      return command satisfies never;
  }
}

async function start(state: PlayState, actorId: string | null, now: number, chance: Chance): Promise<Decision> {
  if (actorId === null || !state.organisers.includes(actorId)) return refuse("not-organiser");
  if (state.state !== "open") return refuse("not-open");
  if (now < state.registrationDeadline) return refuse("registration-open");
  if (isCheckInRunning(state, now)) return refuse("check-in-open");
  const playing = whoPlays(state);
  if (playing.length < 2) return refuse("too-few-teams");
  const seeds = seed(playing, state.seeding, chance);
  const snapshot = await drawBracket({
    format: state.format,
    teams: seeds.map(({ id }) => id),
    groupSize: state.groupSize,
  });
  const seedOf = new Map(seeds.map(({ id }, index) => [id, index + 1]));
  const teams = state.teams.map((team): PlayTeam => {
    const place = seedOf.get(team.id);
    if (place !== undefined) return { ...team, state: "entered", seed: place };
    return team.state === "entered" ? { ...team, state: "absent", seed: null } : { ...team, seed: null };
  });
  const started: PlayState = { ...state, state: "running", teams };
  return {
    ok: true,
    state: withBracket(started, snapshot, now, chance),
    events: [{ action: "started", match: null, actorId, details: { teams: seeds.length } }],
  };
}

/**
 * Whether a start would come too soon: before the date a team with a place has not checked in, and still can, be it that it
 * misses a player as yet. Otherwise an organiser could begin without those who keep to the announced time.
 */
export const isCheckInRunning = (
  { teams, checkInMinutes, tournamentDate }: Pick<PlayState, "teams" | "checkInMinutes" | "tournamentDate">,
  now: number,
): boolean =>
  checkInMinutes > 0 &&
  now < tournamentDate &&
  teams.some(({ state, checkedInAt }) => state === "entered" && checkedInAt === null);

const isComplete = ({ members }: PlayTeam, teamSize: number) =>
  members.filter(({ isSubstitute }) => !isSubstitute).length >= teamSize;

/**
 * Who plays: teams with a place that are complete, all of verified accounts, and, where there is a check-in, have checked in;
 * the places of the others go to teams from the waiting list that are, in its order. Ranks were looked at when players joined
 * and when their team checked in: one that has changed since throws nobody out.
 */
export function whoPlays(
  state: Pick<PlayState, "teams" | "teamSize" | "checkInMinutes" | "maxParticipants">,
): PlayTeam[] {
  const isThere = (team: PlayTeam) =>
    isComplete(team, state.teamSize) &&
    team.members.every(({ isSubstitute, isVerified }) => isSubstitute || isVerified) &&
    (state.checkInMinutes === 0 || team.checkedInAt !== null);
  const listed = (wanted: PlayTeam["state"]) =>
    state.teams
      .filter((team) => team.state === wanted && isThere(team))
      .sort((a, b) => a.listedAt - b.listedAt || (a.id < b.id ? -1 : 1));
  return [...listed("entered"), ...listed("waiting")].slice(0, state.maxParticipants);
}

/** The teams in the order of their seeds, the strongest first. */
function seed(teams: readonly PlayTeam[], seeding: PlayState["seeding"], { shuffle }: Chance): PlayTeam[] {
  // Whoever is equal, and everyone where chance decides, falls as it falls.
  const mixed = shuffle(teams);
  if (seeding === "rank") return mixed.sort((a, b) => averageRank(b) - averageRank(a));
  if (seeding === "manual") return mixed.sort((a, b) => (a.seed ?? Infinity) - (b.seed ?? Infinity) || 0);
  return mixed;
}

/** The mean position of the starters' ranks (0 is Iron 1); −1 where nobody has said theirs. */
export function averageRank({ members }: Pick<PlayTeam, "members">): number {
  const ranks = members.flatMap(({ rank, isSubstitute }) => (rank && !isSubstitute ? [RANKS.indexOf(rank)] : []));
  return ranks.length === 0 ? -1 : ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
}

function checkIn(state: PlayState, match: PlayMatch, actorId: string | null, now: number): Decision {
  const side = ([1, 2] as const).find((candidate) =>
    state.teams.find(({ id }) => id === teamOf(match, candidate))?.members.some(({ userId }) => userId === actorId),
  );
  if (side === undefined) return refuse("not-member");
  if (checkedIn(match, side) !== null) return { ok: true, state, events: [] };
  const here = { ...match, ...(side === 1 ? { checkedIn1: now } : { checkedIn2: now }) };
  const areAllHere = here.checkedIn1 !== null && here.checkedIn2 !== null;
  return changed(
    state,
    areAllHere ? { ...here, deadlineAt: now + match.bestOf * TIME_PER_MAP, overdueToldAt: null } : here,
    event("checked-in", match, actorId, { team: nameOf(state, teamOf(match, side)) }),
  );
}

function report(
  state: PlayState,
  match: PlayMatch,
  side: Side,
  maps: MapResult[],
  actorId: string | null,
  now: number,
  chance: Chance,
): Decision | Promise<Decision> {
  if (match.state === "disputed") return refuse("disputed");
  if (match.reporter !== null && match.reporter !== side) {
    // Whoever says the same agrees.
    return match.report && isSameScore(match.report, maps)
      ? confirm(state, match, match.report, actorId, now, chance)
      : refuse("reported-by-other");
  }
  // A match of a group before its turn, to which the others have not come: nobody has called them yet.
  if (match.deadlineAt === null) return refuse("too-early");
  if (findScoreProblem(maps, match.bestOf)) return refuse("bad-score");
  // The same again is no news, and does not begin the time anew.
  if (match.reporter === side && JSON.stringify(match.report) === JSON.stringify(maps)) {
    return { ok: true, state, events: [] };
  }
  const [one, two] = mapScore(maps);
  return changed(
    state,
    {
      ...match,
      state: "reported",
      reporter: side,
      report: maps,
      reportedAt: now,
      // Nobody has to look before the tournament's date.
      confirmBy: Math.max(now, state.tournamentDate) + CONFIRMATION_TIME,
      // Who reports was there; of the others they can't speak.
      ...(checkedIn(match, side) === null && (side === 1 ? { checkedIn1: now } : { checkedIn2: now })),
    },
    event("reported", match, actorId, { one, two, winner: nameOf(state, teamOf(match, one > two ? 1 : 2)) }),
  );
}

/** The other captain agrees with what was reported. */
const confirm = (
  state: PlayState,
  match: PlayMatch,
  maps: MapResult[],
  actorId: string | null,
  now: number,
  chance: Chance,
) => finish(state, match, { maps }, event("confirmed", match, actorId, {}), now, chance);

/** Reports that nobody has answered count now; of matches whose time is over the organisers are told, once. */
async function settle(state: PlayState, now: number, chance: Chance): Promise<Decision> {
  let next = state;
  const events: PlayEvent[] = [];
  for (const { id } of state.matches) {
    const match = next.matches.find((row) => row.id === id);
    if (match?.state === "reported" && match.report && match.confirmBy !== null && match.confirmBy <= now) {
      const decision = await finish(
        next,
        match,
        { maps: match.report },
        event("counted", match, null, {}),
        now,
        chance,
      );
      if (!decision.ok) return decision;
      next = decision.state;
      events.push(...decision.events);
    } else if (match && isOverdue(match, now)) {
      const decision = changed(next, { ...match, overdueToldAt: now }, event("overdue", match, null, {}));
      if (!decision.ok) return decision;
      next = decision.state;
      events.push(...decision.events);
    }
  }
  return { ok: true, state: next, events };
}

const isOverdue = ({ state, deadlineAt, overdueToldAt }: PlayMatch, now: number) =>
  state === "ready" && overdueToldAt === null && deadlineAt !== null && deadlineAt <= now;

/** @returns when something is due next, in milliseconds since 1970; null when nothing is */
export function nextDue(state: PlayState): number | null {
  if (state.state !== "running") return null;
  const due = state.matches.flatMap((match) =>
    match.state === "reported" && match.confirmBy !== null
      ? [match.confirmBy]
      : match.state === "ready" && match.overdueToldAt === null && match.deadlineAt !== null
        ? [match.deadlineAt]
        : [],
  );
  return due.length === 0 ? null : Math.min(...due);
}

/** A match ends; who goes on stands in the next one, and with the last match the tournament is over. */
async function finish(
  state: PlayState,
  match: PlayMatch,
  how: { maps: MapResult[] } | { forfeits: Side },
  what: PlayEvent,
  now: number,
  chance: Chance,
): Promise<Decision> {
  const result: Result = "maps" in how ? { scores: mapScore(how.maps) } : { forfeits: how.forfeits === 1 ? 0 : 1 };
  const snapshot = await enterResult(state.snapshot as Snapshot, match.id, result);
  const played = withBracket(withMatch(state, match), snapshot, now, chance);
  const ended: PlayState = {
    ...played,
    matches: played.matches.map((row) =>
      row.id === match.id
        ? { ...row, maps: "maps" in how ? how.maps : null, finishedAt: now, confirmBy: null, deadlineAt: null }
        : row,
    ),
  };
  const [one, two] = "maps" in how ? mapScore(how.maps) : [0, 0];
  const winner = (one > two || ("forfeits" in how && how.forfeits === 2) ? 1 : 2) as Side;
  const said: PlayEvent = {
    ...what,
    details: {
      ...what.details,
      one,
      two,
      winner: nameOf(state, teamOf(match, winner)),
      loser: nameOf(state, teamOf(match, otherSide(winner))),
      forfeit: "forfeits" in how ? 1 : 0,
    },
  };
  return { ok: true, ...withWinner(ended, [said]) };
}

function withWinner(state: PlayState, events: PlayEvent[]): { state: PlayState; events: PlayEvent[] } {
  const snapshot = state.snapshot as Snapshot;
  const winnerTeamId = champion(snapshot);
  if (winnerTeamId === null) return { state, events };
  const places = new Map(standings(snapshot).map(({ team, place }) => [team, place]));
  return {
    state: {
      ...state,
      state: "finished",
      winnerTeamId,
      teams: state.teams.map((team) => ({ ...team, place: places.get(team.id) ?? null })),
    },
    events: [...events, { action: "won", match: null, actorId: null, details: { team: nameOf(state, winnerTeamId) } }],
  };
}

async function reopen(
  state: PlayState,
  match: PlayMatch,
  expects: readonly number[],
  actorId: string | null,
  now: number,
  chance: Chance,
): Promise<Decision> {
  if (match.state !== "finished") return refuse("not-finished");
  const snapshot = state.snapshot as Snapshot;
  const later = hangingOn(snapshot, match.id);
  const known = new Set(expects);
  if (later.length !== known.size || later.some((id) => !known.has(id))) return refuse("changed");
  const opened = await reopenMatch(snapshot, match.id);
  const undone = new Set([match.id, ...later]);
  const before = state.matches.map((row) => (undone.has(row.id) ? begunAnew({ ...row, state: "waiting" }) : row));
  return {
    ok: true,
    state: withBracket(
      {
        ...state,
        state: "running",
        winnerTeamId: null,
        matches: before,
        teams: state.teams.map((team) => ({ ...team, place: null })),
      },
      opened,
      now,
      chance,
    ),
    events: [event("reopened", match, actorId, { others: later.length })],
  };
}

/**
 * The state with another bracket: matches whose teams are both known from now on can be played from now on; in a group each
 * in its turn, and one that is being played by then keeps its time. Nobody has to be there before the tournament's date.
 */
function withBracket(state: PlayState, snapshot: Snapshot, now: number, chance: Chance): PlayState {
  const rows = rowsOf(snapshot, state, state.matches);
  const open = rows.filter(({ part, state: standing }) => part === "group" && standing !== "finished");
  const matches = rows.map((match) =>
    match.state === "ready" && match.deadlineAt === null && isItsTurn(match, open)
      ? { ...begun(match, now, chance), deadlineAt: Math.max(now, state.tournamentDate) + CHECK_IN_TIME }
      : match,
  );
  return { ...state, snapshot, matches };
}

/** A match whose turn it is, or in which something happens before that: its teams can write to each other. */
const begun = (match: PlayMatch, now: number, { newId }: Chance): PlayMatch =>
  match.readyAt === null ? { ...match, readyAt: now, conversationId: match.conversationId ?? newId() } : match;

/**
 * In a group all matches are known from the start, but a team plays one after the other: news and the time to check in
 * come when those of earlier rounds are over. Whoever wants to play sooner may.
 */
const isItsTurn = (match: PlayMatch, open: readonly PlayMatch[]): boolean =>
  match.part !== "group" ||
  !open.some(
    (other) =>
      other.group === match.group &&
      other.round < match.round &&
      [other.team1, other.team2].some((team) => team === match.team1 || team === match.team2),
  );

function changed(state: PlayState, match: PlayMatch, what: PlayEvent): Decision {
  return {
    ok: true,
    state: withMatch(state, match),
    events: [what],
  };
}

const withMatch = (state: PlayState, match: PlayMatch): PlayState => ({
  ...state,
  matches: state.matches.map((row) => (row.id === match.id ? match : row)),
});

const event = (
  action: PlayEvent["action"],
  match: PlayMatch,
  actorId: string | null,
  details: PlayEvent["details"],
): PlayEvent => ({ action, match: match.id, actorId, details });

/** On which side of a match somebody is the captain. */
function captainsSide(state: PlayState, match: PlayMatch, actorId: string | null): Side | null {
  if (actorId === null) return null;
  const side = ([1, 2] as const).find(
    (candidate) => state.teams.find(({ id }) => id === teamOf(match, candidate))?.captainId === actorId,
  );
  return side ?? null;
}

const checkedIn = (match: PlayMatch, side: Side) => (side === 1 ? match.checkedIn1 : match.checkedIn2);

const nameOf = (state: PlayState, teamId: string | null) => state.teams.find(({ id }) => id === teamId)?.name ?? null;
