import type { Command, ShownMatch, Side } from "#party/wire/tournament-commands";
import { findScoreProblem, isSameScore, type MapResult, mapScore, mapsToPlay } from "~/game/scores";
import { MINUTE } from "~/platform/dates/durations";
import { findDependents, reopenMatch } from "../bracket/results";
import type { Snapshot } from "../bracket/snapshot";
import { matchName } from "../shared/match-names";
import { begin, callMatches, disqualifiedSide, finish, forfeitAll, withBracket, withMatch } from "./advance";
import { type Decision, event, type Moment, nameOf, type PlayEvent, refuse, type Situation } from "./decision";
import { disqualify, reinstate } from "./disqualify";
import { answerBy } from "./phase";
import { resetMatch } from "./rows";
import { start } from "./start";
import { otherSide, type PlayMatch, type PlayState, teamOf, writeResults } from "./state";

/*
 * The decisions of a tournament's room: a state and a command go in, the next state or a refusal comes out. Pure, so
 * that every rule can be tested without a room. The room processes commands one at a time.
 */

/** The time that each map may take before the match is overdue and the organisers are told, in milliseconds. */
const TIME_PER_MAP = 60 * MINUTE;

/** Decides one command. */
export async function decide({ command, ...situation }: Situation & { command: Command }): Promise<Decision> {
  const { state, actorId, now } = situation;
  if (command.type === "start") return start(situation, command.expects);
  const isAllowedAfterEnd = command.type === "reopen" || command.type === "reinstate" || command.type === "join-chat";
  if (state.state !== "running" && !(state.state === "finished" && isAllowedAfterEnd)) {
    if (command.type === "settle") return { ok: true, state, events: [] };
    return refuse(state.state === "finished" && command.type === "disqualify" ? "over" : "not-running");
  }
  if (command.type === "settle") return settle(situation);
  const isOrganiser = actorId !== null && state.organisers.includes(actorId);
  if (command.type === "disqualify" || command.type === "reinstate") {
    if (!isOrganiser) return refuse("not-organiser");
    return command.type === "disqualify"
      ? disqualify(situation, command.team, command.reason)
      : reinstate(situation, command.team, command.expects);
  }
  const found = state.matches.find(({ id }) => id === command.match);
  if (!found || found.state === "idle" || found.state === "bye") return refuse("no-match");
  switch (command.type) {
    case "reopen":
      return isOrganiser ? reopen(situation, found, command.expects) : refuse("not-organiser");
    case "join-chat":
      if (!isOrganiser) return refuse("not-organiser");
      if (found.conversationId === null) return refuse("no-chat");
      return { ok: true, state, events: [], joins: { match: found.id, userId: actorId } };
    default:
  }
  // A form may be sent twice, so this refusal only says that the match is already decided.
  if (found.state === "finished") return refuse("finished");
  if (found.state === "waiting") return refuse("locked");
  const problem = "shown" in command && command.shown ? findChange(found, command.shown, command.type) : null;
  if (problem) return refuse(problem);
  const match = begin(found, situation);
  if (command.type === "rule") {
    if (!isOrganiser) return refuse("not-organiser");
    if ("forfeits" in command) {
      return finish({
        ...situation,
        match,
        outcome: { forfeits: command.forfeits },
        record: event("ruled", match, actorId, {}),
      });
    }
    if (findScoreProblem(command.maps, match)) return refuse("bad-score");
    return finish({ ...situation, match, outcome: { maps: command.maps }, record: event("ruled", match, actorId, {}) });
  }
  if (command.type === "check-in") return checkIn(situation, match);
  const side = captainsSide(state, match, actorId);
  if (side === null) return refuse("not-captain");
  switch (command.type) {
    case "report":
      return report(situation, { match, side, maps: command.maps });
    case "confirm":
      if (match.state === "disputed") return refuse("disputed");
      if (match.state !== "reported" || match.report === null) return refuse("nothing-reported");
      if (match.reporter === side) return refuse("own-report");
      // A captain confirms only the report that they have seen.
      if (match.reportedAt !== command.expects) return refuse("report-changed");
      return confirm(situation, match, match.report);
    case "dispute":
      if (match.state === "disputed") return refuse("disputed");
      return changeMatch(
        state,
        { ...match, state: "disputed", disputer: side, dispute: command.evidence || null, confirmBy: null },
        // A reopened match loses its evidence, so the event keeps it. The event also keeps the teams, because only they
        // and the organisers may read the evidence.
        event("disputed", match, actorId, {
          team: nameOf(state, teamOf(match, side)),
          evidence: command.evidence || null,
          team1: match.team1,
          team2: match.team2,
        }),
      );
    case "forfeit":
      return finish({
        ...situation,
        match,
        outcome: { forfeits: side },
        record: event("forfeited", match, actorId, {}),
      });
    case "claim":
      if (match.state === "disputed") return refuse("disputed");
      if (match.state === "reported") return refuse(match.reporter === side ? "own-report" : "reported-by-other");
      if (checkedIn(match, side) === null) return refuse("check-in-first");
      if (checkedIn(match, otherSide(side)) !== null) return refuse("they-are-here");
      if (match.deadlineAt === null || now < match.deadlineAt) return refuse("too-early");
      return finish({
        ...situation,
        match,
        outcome: { forfeits: otherSide(side) },
        record: event("claimed", match, actorId, {}),
      });
    default:
      return command satisfies never;
  }
}

function checkIn({ state, actorId, now }: Situation, match: PlayMatch): Decision {
  const side = ([1, 2] as const).find((candidate) =>
    state.teams.find(({ id }) => id === teamOf(match, candidate))?.members.some(({ userId }) => userId === actorId),
  );
  if (side === undefined) return refuse("not-member");
  if (checkedIn(match, side) !== null) return { ok: true, state, events: [] };
  const updated = { ...match, ...(side === 1 ? { checkedIn1: now } : { checkedIn2: now }) };
  const areAllHere = updated.checkedIn1 !== null && updated.checkedIn2 !== null;
  return changeMatch(
    state,
    areAllHere ? { ...updated, deadlineAt: now + mapsToPlay(match) * TIME_PER_MAP, overdueToldAt: null } : updated,
    event("checked-in", match, actorId, { team: nameOf(state, teamOf(match, side)) }),
  );
}

function report(
  situation: Situation,
  { match, side, maps }: { match: PlayMatch; side: Side; maps: MapResult[] },
): Decision | Promise<Decision> {
  const { state, actorId, now } = situation;
  if (match.state === "disputed") return refuse("disputed");
  if (match.reporter !== null && match.reporter !== side) {
    // Reporting the same score confirms it.
    return match.report && isSameScore(match.report, maps)
      ? confirm(situation, match, match.report)
      : refuse("reported-by-other");
  }
  // A group or tie-break match before its turn: the teams haven't been called, and at least one hasn't checked in.
  if (match.deadlineAt === null) return refuse("not-up");
  if (findScoreProblem(maps, match)) return refuse("bad-score");
  // Sending the same report again is no news, and doesn't restart the clock.
  if (match.reporter === side && JSON.stringify(match.report) === JSON.stringify(maps)) {
    return { ok: true, state, events: [] };
  }
  const [one, two] = mapScore(maps, match);
  return changeMatch(
    state,
    {
      ...match,
      state: "reported",
      reporter: side,
      report: maps,
      reportedAt: now,
      confirmBy: answerBy(state.tournamentDate, now),
      // The report shows that the captain's own team was there. It says nothing about the other team.
      ...(checkedIn(match, side) === null && (side === 1 ? { checkedIn1: now } : { checkedIn2: now })),
    },
    event("reported", match, actorId, { one, two, winner: nameOf(state, teamOf(match, one > two ? 1 : 2)) }),
  );
}

/** Ends a match with the reported maps, which the other captain has accepted. */
const confirm = (situation: Situation, match: PlayMatch, maps: MapResult[]) =>
  finish({ ...situation, match, outcome: { maps }, record: event("confirmed", match, situation.actorId, {}) });

/**
 * Confirms reports that nobody answered in time, and tells the organisers once about each overdue match. Gives new
 * deadlines to the matches that lost theirs when the hidden tournament was restored.
 */
async function settle({ state, now, chance }: Situation): Promise<Decision> {
  let next = resume(state, { now, chance });
  const events: PlayEvent[] = [];
  for (const { id } of state.matches) {
    const match = next.matches.find((row) => row.id === id);
    if (match?.state === "reported" && match.report && match.confirmBy !== null && match.confirmBy <= now) {
      const decision = await finish({
        state: next,
        match,
        outcome: { maps: match.report },
        record: event("counted", match, null, {}),
        now,
        chance,
      });
      if (!decision.ok) return decision;
      next = decision.state;
      events.push(...decision.events);
    } else if (match && isOverdue(match, now)) {
      const decision = changeMatch(next, { ...match, overdueToldAt: now }, event("overdue", match, null, {}));
      if (!decision.ok) return decision;
      next = decision.state;
      events.push(...decision.events);
    }
  }
  return { ok: true, state: next, events };
}

/**
 * Gives new deadlines to the matches that `restoreTournament` has left without one: the teams again have the full time
 * to check in, and the other captain has the full time to answer a report.
 * @returns the same state if there are none
 */
function resume(state: PlayState, moment: Moment): PlayState {
  const waiting = state.matches.filter((match) => match.state === "reported" && match.confirmBy === null);
  const confirmBy = answerBy(state.tournamentDate, moment.now);
  return waiting.reduce((next, match) => withMatch(next, { ...match, confirmBy }), callMatches(state, moment));
}

const isOverdue = ({ state, deadlineAt, overdueToldAt }: PlayMatch, now: number) =>
  state === "ready" && overdueToldAt === null && deadlineAt !== null && deadlineAt <= now;

/** @returns when the next deadline is, in milliseconds since 1970; null if there is none */
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

/** Finds out whether a form showed a different match from the one being played now, another report, or no dispute. */
function findChange(
  match: PlayMatch,
  { teams, readyAt, reportedAt, isDisputed }: ShownMatch,
  type: Command["type"],
): "other-teams" | "played-again" | "report-changed" | "disputed-since" | null {
  if (teams.join() !== [match.team1, match.team2].join()) return "other-teams";
  // If the match hadn't been called yet, this may be its first call.
  if (readyAt !== null && readyAt !== match.readyAt) return "played-again";
  // Disputes and decisions respond to the report that their form showed. A forfeit counts whatever was reported, and a
  // report has refusals of its own.
  const isAnswer = type === "dispute" || type === "rule";
  // An organiser decides a disputed match only with a form that showed the dispute, after they could read the evidence.
  // That holds even if a new report came before the dispute. Captains can't dispute a disputed match at all.
  if (type === "rule" && isDisputed === false && match.state === "disputed") return "disputed-since";
  return isAnswer && reportedAt !== undefined && reportedAt !== match.reportedAt ? "report-changed" : null;
}

async function reopen(situation: Situation, match: PlayMatch, expects: string): Promise<Decision> {
  const { state, actorId } = situation;
  if (match.state !== "finished") return refuse("not-finished");
  if (disqualifiedSide(state, match) !== null) return refuse("disqualified");
  const snapshot = state.snapshot as Snapshot;
  const later = findDependents(snapshot, match.id);
  const undone = new Set([match.id, ...later]);
  if (writeResults(state.matches.filter(({ id }) => undone.has(id))) !== expects) return refuse("changed");
  const opened = await reopenMatch(snapshot, match.id);
  const before = state.matches.map((row) => (undone.has(row.id) ? resetMatch({ ...row, state: "waiting" }) : row));
  const reopened = withBracket(
    {
      ...state,
      state: "running",
      winnerTeamId: null,
      matches: before,
      teams: state.teams.map((team) => ({ ...team, place: null, lastPlace: null })),
    },
    opened,
    situation,
  );
  // Each undone match gets an entry in its own log.
  const others = state.matches.filter(({ id }) => id !== match.id && undone.has(id));
  const undoneEvents = others.map((row) =>
    event("undone", row, null, { name: matchName(row), before: matchName(match) }),
  );
  // Matches of redrawn play-offs no longer have a page, so the log of this match names them for everyone.
  const names = others.map(matchName).join(", ");
  const events = [event("reopened", match, actorId, { others: later.length, names }), ...undoneEvents];
  return { ok: true, ...(await forfeitAll({ state: reopened, events }, situation)) };
}

function changeMatch(state: PlayState, match: PlayMatch, record: PlayEvent): Decision {
  return {
    ok: true,
    state: withMatch(state, match),
    events: [record],
  };
}

/** Returns the side whose captain the player is; null if neither. */
function captainsSide(state: PlayState, match: PlayMatch, actorId: string | null): Side | null {
  if (actorId === null) return null;
  const side = ([1, 2] as const).find(
    (candidate) => state.teams.find(({ id }) => id === teamOf(match, candidate))?.captainId === actorId,
  );
  return side ?? null;
}

const checkedIn = (match: PlayMatch, side: Side) => (side === 1 ? match.checkedIn1 : match.checkedIn2);
