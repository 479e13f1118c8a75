import { drawNextStages, findDependents, removeAffectedStages, reopenMatch } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import type { TieBreakRules } from "../format/tie-breaks";
import { matchName } from "../shared/match-names";
import { disqualifiedTeams, forfeitAll, withBracket, withChampion } from "./advance";
import { type Decision, event, type PlayEvent, refuse, type Situation } from "./decision";
import { resetMatch } from "./rows";
import { type PlayMatch, type PlayState, type PlayTeam, teamOf } from "./state";

/* Disqualifying and reinstating a team. */

/**
 * Removes a team from a running tournament: it forfeits its open matches immediately, and later ones as soon as the
 * other team is known. Its final place is behind all teams that can still win the title at that time.
 */
export async function disqualify(situation: Situation, teamId: string, reason: string): Promise<Decision> {
  const { state, actorId, now } = situation;
  const team = state.teams.find(({ id }) => id === teamId);
  if (team?.state !== "entered") return refuse("no-team");
  if (team.disqualification) {
    // If the reason is the same, the form was sent twice. A different reason would be lost, so it is refused.
    return team.disqualification.reason === reason ? { ok: true, state, events: [] } : refuse("disqualified-already");
  }
  if (!isStillIn(state, teamId)) return refuse("out-already");
  const left = state.teams.filter(
    ({ id, state: status, disqualification }) =>
      id !== teamId && status === "entered" && !disqualification && mayStillWin(state, id),
  );
  const out = withTeam(state, { ...team, disqualification: { at: now, left: left.length, reason } });
  const playEvent = {
    action: "disqualified",
    match: null,
    actorId,
    details: { team: team.name, teamId, reason },
  } as const;
  const forfeited = await forfeitAll({ state: out, events: [playEvent] }, situation);
  return { ok: true, ...withChampion(forfeited) };
}

/**
 * Undoes a disqualification: reopens the matches that the team forfeited because of it, and redraws the tie-breaks and
 * play-offs whose teams it changed. Refused once a match that depends on any of these has been played, or has a report
 * or a dispute.
 * @param expects the time of the disqualification that the organiser's page showed; undefined if the page didn't say
 */
export async function reinstate(situation: Situation, teamId: string, expects?: number): Promise<Decision> {
  const { state, actorId } = situation;
  const team = state.teams.find(({ id }) => id === teamId);
  if (team?.state !== "entered") return refuse("no-team");
  if (!team.disqualification) return { ok: true, state, events: [] };
  if (expects !== undefined && expects !== team.disqualification.at) return refuse("disqualified-again");
  const forfeited = forfeitedSince(state, team);
  const kept = findUnaffectedBracket(state, teamId);
  const undone = findUndone(state, forfeited, kept);
  if (undone === null) return refuse("played-on");
  let snapshot = kept ?? (state.snapshot as Snapshot);
  // Latest first, because reopening a match also reopens the matches that depend on it.
  for (const { id } of [...forfeited].reverse()) {
    if (isFinished(snapshot, id)) snapshot = await reopenMatch(snapshot, id);
  }
  const back = withTeam(state, { ...team, disqualification: null });
  if (kept) snapshot = await drawNextStages(snapshot, state, disqualifiedTeams(back));
  const opened: PlayState = {
    ...back,
    state: "running",
    winnerTeamId: null,
    teams: back.teams.map((other) => ({ ...other, place: null, lastPlace: null })),
    matches: back.matches.map((match) => (undone.has(match.id) ? resetMatch({ ...match, state: "waiting" }) : match)),
  };
  const playEvent = { action: "reinstated", match: null, actorId, details: { team: team.name, teamId } } as const;
  const events = state.matches.flatMap((match) => {
    if (!undone.has(match.id)) return [];
    const name = matchName(match);
    if (forfeited.includes(match)) return [event("undone", match, null, { name, team: team.name })];
    // If several forfeited matches are the cause, name the latest.
    const cause = forfeited.findLast(({ id }) => findDependents(state.snapshot as Snapshot, id).includes(match.id));
    const why: PlayEvent["details"] = cause ? { before: matchName(cause) } : { drawn: 1 };
    return [event("undone", match, null, { name, team: team.name, ...why })];
  });
  const reinstated = { state: withBracket(opened, snapshot, situation), events: [playEvent, ...events] };
  // The team's opponent may be disqualified as well: its forfeit can end the tournament again.
  return { ok: true, ...withChampion(await forfeitAll(reinstated, situation)) };
}

/** The part of a tournament's state that determines whether a disqualification can be undone. */
interface ReinstatementState<M extends PlayedMatch = PlayedMatch> extends TieBreakRules {
  teams: readonly Pick<PlayTeam, "id" | "disqualification">[];
  matches: readonly M[];
  snapshot: Snapshot | null;
}

type PlayedMatch = Pick<PlayMatch, "id" | "part" | "team1" | "team2" | "state" | "forfeit" | "finishedAt">;

/** Whether a disqualification can be undone: no match that depends on it has been played, reported or disputed. */
export const mayReinstate = (state: ReinstatementState, teamId: string): boolean => {
  const team = state.teams.find(({ id }) => id === teamId);
  return (
    !!team?.disqualification &&
    findUndone(state, forfeitedSince(state, team), findUnaffectedBracket(state, teamId)) !== null
  );
};

/** Whether a team is still in: it has a match without a result, or is waiting for the play-offs. */
const isStillIn = (state: PlayState, teamId: string): boolean =>
  mayStillWin(state, teamId) || state.matches.some((match) => match.part === "third-place" && isOpenFor(teamId)(match));

/** Whether a team can still win the title. Teams that play for third place can't. */
const mayStillWin = (state: PlayState, teamId: string): boolean =>
  (state.format === "round_robin" && state.matches.every(({ part }) => part === "group" || part === "tie-break")) ||
  state.matches.some((match) => match.part !== "third-place" && isOpenFor(teamId)(match));

const isOpenFor =
  (teamId: string) =>
  ({ team1, team2, state }: PlayMatch): boolean =>
    (team1 === teamId || team2 === teamId) && state !== "finished" && state !== "bye" && state !== "idle";

/** Finds the matches that a team forfeited because of its disqualification, in bracket order. */
const forfeitedSince = <M extends PlayedMatch>(
  { matches }: ReinstatementState<M>,
  { id, disqualification }: ReinstatementState["teams"][number],
): M[] =>
  matches.filter(
    (match) =>
      match.state === "finished" &&
      match.forfeit !== null &&
      teamOf(match, match.forfeit) === id &&
      (match.finishedAt ?? 0) >= (disqualification?.at ?? Number.POSITIVE_INFINITY),
  );

/**
 * Returns the bracket without the tie-breaks and play-offs whose teams were changed by one team's disqualification;
 * null if it changed none of them.
 */
function findUnaffectedBracket(
  { snapshot, teams, matches, ...rules }: ReinstatementState,
  teamId: string,
): Snapshot | null {
  /** Returns the teams that were already disqualified when these parts ended and the next ones were drawn. */
  const disqualifiedByEndOf = (...parts: PlayMatch["part"][]) => {
    const drawnAt = Math.max(...matches.map(({ part, finishedAt }) => (parts.includes(part) ? (finishedAt ?? 0) : 0)));
    return new Set(
      teams.flatMap(({ id, disqualification }) => (disqualification && disqualification.at <= drawnAt ? [id] : [])),
    );
  };
  return removeAffectedStages(snapshot as Snapshot, teamId, rules, {
    afterGroups: disqualifiedByEndOf("group"),
    afterTieBreaks: disqualifiedByEndOf("group", "tie-break"),
  });
}

/**
 * Finds all matches that would be reopened or drawn again if `matches` were undone, including `matches` themselves.
 * @param kept the bracket without the matches that are drawn again; null if there are none
 * @returns their ids; null if a match besides `matches` has been played, or has a report or a dispute
 */
function findUndone(
  state: ReinstatementState,
  matches: readonly PlayedMatch[],
  kept: Snapshot | null,
): ReadonlySet<number> | null {
  const ids = new Set(matches.map(({ id }) => id));
  const known = new Map(state.matches.map((match) => [match.id, match]));
  const stays = kept && new Set(kept.match.map(({ id }) => id));
  const redrawn = state.matches.filter(
    ({ id, state: status }) =>
      stays?.has(id) === false && status !== "waiting" && status !== "bye" && status !== "idle",
  );
  const later = [
    ...matches.flatMap(({ id }) => findDependents(state.snapshot as Snapshot, id)),
    ...redrawn.map(({ id }) => id),
  ];
  const isPlayed = later.some((id) => {
    const match = known.get(id);
    if (!match || ids.has(id)) return false;
    if (match.state === "finished") return !isByDisqualification(state, match);
    return match.state === "reported" || match.state === "disputed";
  });
  return isPlayed ? null : new Set([...ids, ...later]);
}

const isByDisqualification = (state: ReinstatementState, match: PlayedMatch): boolean => {
  const loser = match.forfeit === null ? null : teamOf(match, match.forfeit);
  return state.teams.some(({ id, disqualification }) => id === loser && disqualification !== null);
};

const isFinished = ({ match }: Snapshot, matchId: number) =>
  match.some(({ id, opponent1, opponent2 }) => id === matchId && Boolean(opponent1?.result || opponent2?.result));

const withTeam = (state: PlayState, team: PlayTeam): PlayState => ({
  ...state,
  teams: state.teams.map((other) => (other.id === team.id ? team : other)),
});
