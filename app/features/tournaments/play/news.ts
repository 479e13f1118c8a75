import type { NewsKind } from "#db/words/news-kinds";
import { type NewsSubject, subjectOf } from "~/features/notifications/shared/subjects";
import { mapScore } from "~/game/scores";
import { matchName } from "../shared/match-names";
import type { PlayEvent } from "./decision";
import { MAX_COUNTDOWN_MINUTES, minutesLeft } from "./phase";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

/** News for one player. The kind's file in `app/features/notifications/kinds` describes `data`. */
export interface PlayNews {
  kind: NewsKind;
  userId: string;
  subject: NewsSubject;
  data: Record<string, string | number | boolean | null>;
  /** The author of `data.reason`. Players who have blocked them get the news without the reason. */
  reasonBy?: string;
}

/** Whether a match calls its players to check in. Once both teams have, nobody needs to be told. */
const isCheckingIn = ({ state, deadlineAt, checkedIn1, checkedIn2 }: PlayMatch) =>
  state === "ready" && deadlineAt !== null && (checkedIn1 === null || checkedIn2 === null);

const isToldOverdue = ({ state, overdueToldAt }: PlayMatch) => state === "ready" && overdueToldAt !== null;

/** Finds the matches whose check-in begins. */
function newlyReady(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map((match) => [match.id, match]));
  return after.matches.filter((match) => {
    const old = known.get(match.id);
    return isCheckingIn(match) && (old?.readyAt !== match.readyAt || old.deadlineAt === null);
  });
}

/**
 * Finds the reports that begin to wait for an answer: new ones, corrected ones, and those of a tournament that is shown
 * again.
 */
function newReports(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map((match) => [match.id, match]));
  return after.matches.filter(({ id, state, reportedAt, confirmBy }) => {
    const old = known.get(id);
    return state === "reported" && (old?.reportedAt !== reportedAt || old.confirmBy !== confirmBy);
  });
}

/** Finds the byes that a team has just reached: it advances without playing. */
function newByes(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map(({ id, team1, team2 }) => [id, team1 ?? team2]));
  return after.matches.filter(
    ({ id, state, team1, team2 }) => state === "bye" && (team1 ?? team2) !== (known.get(id) ?? null),
  );
}

/** Finds the byes that a team has just lost, as they were before. */
export const lostByes = (before: PlayState, after: PlayState): PlayMatch[] => newByes(after, before);

/**
 * Finds the matches undone by reopening a match or reinstating a team, as they were before. Each was open or had ended.
 * Now it starts over, waits for a team, or no longer exists.
 */
export function undoneMatches(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(after.matches.map((match) => [match.id, match]));
  return before.matches.filter(({ id, readyAt, finishedAt }) => {
    const left = known.get(id);
    return (readyAt !== null && readyAt !== left?.readyAt) || (finishedAt !== null && finishedAt !== left?.finishedAt);
  });
}

/** Finds the matches that have ended. */
export function endedMatches(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map(({ id, finishedAt }) => [id, finishedAt]));
  return after.matches.filter(({ id, finishedAt }) => finishedAt !== null && finishedAt !== known.get(id));
}

/** Builds a function that finds the unfinished matches for which a condition held before and doesn't hold now. */
const noLonger = (isSo: (match: PlayMatch) => boolean) => (before: PlayState, after: PlayState) => {
  const known = new Set(before.matches.filter(isSo).map(({ id }) => id));
  return after.matches.filter((match) => known.has(match.id) && match.finishedAt === null && !isSo(match));
};

/** Finds the unfinished matches that called their players to check in and no longer do. */
export const noLongerCheckingIn = noLonger(isCheckingIn);

/** Finds the unfinished matches that the organisers were told are overdue and that no longer are. */
export const noLongerOverdue = noLonger(isToldOverdue);

/** Finds the disputed matches whose report was still waiting for the other captain's answer before. */
export function disputedAfterReport(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map(({ id, state }) => [id, state]));
  return after.matches.filter(({ id, state }) => state === "disputed" && known.get(id) === "reported");
}

/**
 * Returns the whole minutes until a moment, for a text; null if it is so far off that the page shows the time instead.
 */
function countedDown(until: number | null, now: number): number | null {
  const minutes = until === null ? null : minutesLeft(until, now);
  return minutes !== null && minutes <= MAX_COUNTDOWN_MINUTES ? minutes : null;
}

/** "2 to 1": the winner's maps first. */
const scoreOf = ({ one, two }: PlayEvent["details"]) =>
  `${Math.max(Number(one), Number(two))} to ${Math.min(Number(one), Number(two))}`;

/**
 * Finds the players affected by a change, and their notifications. Players aren't notified of their own actions.
 * @param events of all commands that led from `before` to `after`: a later one may have undone what an earlier one did
 */
export function newsOf(before: PlayState, after: PlayState, events: readonly PlayEvent[], now: number): PlayNews[] {
  const { tournamentId, title: tournament } = after;
  const teams = new Map(after.teams.map((team) => [team.id, team]));
  const news: PlayNews[] = [];
  const everywhere = subjectOf("tournament", tournamentId);
  const about = (match: PlayMatch) => ({ tournament, match: matchName(match) });
  const subjectOfMatch = (match: PlayMatch) => subjectOf("match", tournamentId, match.id);
  const sidesOf = (match: PlayMatch) =>
    [match.team1, match.team2].map((id) => (id === null ? undefined : teams.get(id))) as [PlayTeam?, PlayTeam?];
  const add = (
    kind: PlayNews["kind"],
    userIds: readonly string[],
    subject: NewsSubject,
    data: PlayNews["data"],
    reasonBy?: string,
  ) => news.push(...userIds.map((userId) => ({ kind, userId, subject, data, ...(reasonBy && { reasonBy }) })));
  const players = (...of: (PlayTeam | undefined)[]) =>
    of.flatMap((team) => team?.members.map(({ userId }) => userId) ?? []);

  const undoers = events.flatMap(({ action, actorId }) => (UNDOING.has(action) ? [actorId] : []));
  for (const match of undoneMatches(before, after)) {
    const left = after.matches.find(({ id }) => id === match.id);
    const isSame = left?.team1 === match.team1 && left?.team2 === match.team2;
    add(
      "match-result",
      players(...sidesOf(match)).filter((userId) => !undoers.includes(userId)),
      // If the match no longer exists, the news links to the tournament.
      left ? subjectOfMatch(match) : everywhere,
      { ...about(match), winner: null, loser: null, score: null, undone: isSame ? "again" : "off" },
    );
  }
  for (const match of [...newlyReady(before, after), ...newByes(before, after)]) {
    const [one, two] = sidesOf(match);
    for (const [team, opponent, checkedIn] of [
      [one, two, match.checkedIn1],
      [two, one, match.checkedIn2],
    ] as const) {
      add("match-ready", players(team), subjectOfMatch(match), {
        ...about(match),
        opponent: opponent?.name ?? null,
        // A team that has checked in needs no countdown.
        minutes: checkedIn === null ? countedDown(match.deadlineAt, now) : null,
      });
    }
  }
  for (const match of newReports(before, after)) {
    const [one, two] = mapScore(match.report ?? [], match);
    const sides = sidesOf(match);
    const [team, other] = match.reporter === 1 ? sides : [sides[1], sides[0]];
    add("match-report", other?.captainId ? [other.captainId] : [], subjectOfMatch(match), {
      ...about(match),
      team: team?.name ?? "",
      winner: sides[one > two ? 0 : 1]?.name ?? "",
      isOwnWin: one > two === (match.reporter === 1),
      score: scoreOf({ one, two }),
      minutes: countedDown(match.confirmBy, now),
    });
  }
  for (const { action, match: id, actorId, details } of events) {
    const others = (userIds: readonly string[]) => userIds.filter((userId) => userId !== actorId);
    if (action === "started") {
      const waited = new Set(before.teams.flatMap((team) => (team.state === "waiting" ? [team.id] : [])));
      for (const team of after.teams) {
        const { name, state } = team;
        if (state !== "entered") {
          add("tournament-withdrawn", players(team), everywhere, { tournament, team: name, by: state });
        } else if (waited.has(team.id)) {
          add("tournament-place", players(team), everywhere, { tournament, team: name });
        }
      }
    }
    if (action === "disqualified" || action === "reinstated") {
      const team = teams.get(String(details.teamId));
      const data = { tournament, team: String(details.team), by: action, reason: details.reason ?? null };
      add("tournament-withdrawn", others(players(team)), everywhere, data, actorId ?? undefined);
    }
    if (action === "won" && after.state === "finished") {
      for (const team of after.teams) {
        const data = { tournament, winner: String(details.team), place: team.place, lastPlace: team.lastPlace };
        add("tournament-finished", players(team), everywhere, data);
      }
    }
    const match = after.matches.find((row) => row.id === id);
    if (!match) continue;
    const subject = subjectOfMatch(match);
    const sides = sidesOf(match);
    if (action === "disputed" ? match.state === "disputed" : action === "overdue" && isToldOverdue(match)) {
      const data = { ...about(match), isOverdue: action === "overdue" };
      add("match-dispute", others(after.organisers), subject, { ...data, team: null });
      if (action === "disputed") {
        const [team, other] = match.disputer === 1 ? sides : [sides[1], sides[0]];
        const opponents = players(other).filter((userId) => !after.organisers.includes(userId));
        add("match-dispute", opponents, subject, { ...data, team: team?.name ?? "" });
      }
    }
    if (ENDED.has(action) && match.state === "finished") {
      const { winner, loser, forfeit } = details;
      for (const team of sides) {
        // This team is told of its disqualification instead.
        if (action === "defaulted" && team?.disqualification) continue;
        add("match-result", others(players(team)), subject, {
          ...about(match),
          winner: winner ?? null,
          loser: loser ?? null,
          score: forfeit ? null : scoreOf(details),
          // Doesn't compare names, because two solo players may have the same one.
          hasWon: match.winner !== null && team === sides[match.winner - 1],
        });
      }
    }
  }
  return news;
}

const UNDOING: ReadonlySet<PlayEvent["action"]> = new Set(["reopened", "reinstated"]);

const ENDED: ReadonlySet<PlayEvent["action"]> = new Set([
  "confirmed",
  "counted",
  "forfeited",
  "claimed",
  "ruled",
  "defaulted",
]);
