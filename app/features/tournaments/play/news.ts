import { matchName } from "../bracket/names";
import type { PlayEvent } from "./decide";
import type { PlayMatch, PlayState, PlayTeam } from "./state";

/** News for one player; its kind's file in `app/features/notifications/kinds` says what `data` holds. */
export interface PlayNews {
  kind:
    | "match-ready"
    | "match-report"
    | "match-result"
    | "match-dispute"
    | "tournament-place"
    | "tournament-withdrawn"
    | "tournament-finished";
  userId: string;
  subject: string;
  data: Record<string, string | number | boolean | null>;
}

/** The subject of news about a match; its address follows from it. */
export const matchSubject = (tournamentId: string, match: number) => `match:${tournamentId}/${match}`;

/** Matches that can be played from now on. */
export function newlyReady(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(before.matches.map((match) => [match.id, match.readyAt]));
  return after.matches.filter(({ id, readyAt }) => readyAt !== null && readyAt !== known.get(id));
}

/** Teams that go on without playing from now on, and the match that they have to themselves. */
function newByes(before: PlayState, after: PlayState): { match: PlayMatch; teamId: string }[] {
  const known = new Map(before.matches.map((match) => [match.id, match.team1 ?? match.team2]));
  return after.matches.flatMap((match) => {
    const teamId = match.team1 ?? match.team2;
    return match.state === "bye" && teamId !== null && teamId !== known.get(match.id) ? [{ match, teamId }] : [];
  });
}

/** Matches that could be played and can no longer, or begin anew, as they were: a rollback has undone them. */
export function undoneMatches(before: PlayState, after: PlayState): PlayMatch[] {
  const known = new Map(after.matches.map((match) => [match.id, match.readyAt]));
  return before.matches.filter(({ id, readyAt }) => readyAt !== null && readyAt !== known.get(id));
}

/** Whom a change concerns, and what they are told. Nobody is told what they did themselves. */
export function newsOf(before: PlayState, after: PlayState, events: readonly PlayEvent[]): PlayNews[] {
  const teams = new Map(after.teams.map((team) => [team.id, team]));
  const news: PlayNews[] = [];
  const about = (match: PlayMatch) => ({ tournament: after.title, match: matchName(match) });
  const sidesOf = (match: PlayMatch) =>
    [match.team1, match.team2].map((id) => (id === null ? undefined : teams.get(id))) as [PlayTeam?, PlayTeam?];

  for (const match of undoneMatches(before, after)) {
    const now = after.matches.find(({ id }) => id === match.id);
    const isSame = now?.team1 === match.team1 && now?.team2 === match.team2;
    const data = { ...about(match), winner: null, loser: null, score: null, undone: isSame ? "again" : "off" };
    // Where there is no such match any more, it leads to the tournament.
    const subject = now ? matchSubject(after.tournamentId, match.id) : `tournament:${after.tournamentId}`;
    for (const { userId } of sidesOf(match).flatMap((team) => team?.members ?? [])) {
      if (events.every(({ actorId }) => actorId !== userId)) {
        news.push({ kind: "match-result", userId, subject, data });
      }
    }
  }
  for (const { match, teamId } of newByes(before, after)) {
    const subject = matchSubject(after.tournamentId, match.id);
    for (const { userId } of teams.get(teamId)?.members ?? []) {
      news.push({ kind: "match-ready", userId, subject, data: { ...about(match), opponent: null } });
    }
  }
  for (const match of newlyReady(before, after)) {
    const subject = matchSubject(after.tournamentId, match.id);
    const [one, two] = sidesOf(match);
    for (const [team, opponent] of [
      [one, two],
      [two, one],
    ] as const) {
      for (const { userId } of team?.members ?? []) {
        news.push({ kind: "match-ready", userId, subject, data: { ...about(match), opponent: opponent?.name ?? "" } });
      }
    }
  }
  for (const { action, match: id, actorId, details } of events) {
    if (action === "started") news.push(...newsOfStart(before, after));
    if (action === "won") {
      for (const { members, place } of after.teams) {
        const data = { tournament: after.title, winner: String(details.team), place };
        for (const { userId } of members) {
          news.push({ kind: "tournament-finished", userId, subject: `tournament:${after.tournamentId}`, data });
        }
      }
    }
    const match = after.matches.find((row) => row.id === id);
    if (!match) continue;
    const subject = matchSubject(after.tournamentId, match.id);
    const sides = sidesOf(match);
    if (action === "reported") {
      const other = sides[match.reporter === 1 ? 1 : 0];
      const team = sides[match.reporter === 1 ? 0 : 1]?.name ?? "";
      if (other?.captainId) {
        news.push({
          kind: "match-report",
          userId: other.captainId,
          subject,
          data: { ...about(match), team, one: details.one ?? 0, two: details.two ?? 0 },
        });
      }
    }
    if (action === "disputed" || action === "overdue") {
      for (const userId of after.organisers.filter((organiser) => organiser !== actorId)) {
        news.push({
          kind: "match-dispute",
          userId,
          subject,
          data: { ...about(match), isOverdue: action === "overdue" },
        });
      }
    }
    if (ENDED.has(action)) {
      const { winner, loser, one, two, forfeit } = details;
      const data = {
        ...about(match),
        winner: winner ?? null,
        loser: loser ?? null,
        score: forfeit ? null : `${Math.max(Number(one), Number(two))} to ${Math.min(Number(one), Number(two))}`,
      };
      for (const { userId } of sides.flatMap((team) => team?.members ?? [])) {
        if (userId !== actorId) news.push({ kind: "match-result", userId, subject, data });
      }
    }
  }
  return news;
}

/** Who plays after all, and who doesn't. */
function newsOfStart(before: PlayState, after: PlayState): PlayNews[] {
  const known = new Map(before.teams.map(({ id, state }) => [id, state]));
  const subject = `tournament:${after.tournamentId}`;
  return after.teams.flatMap(({ id, name, state, members }): PlayNews[] => {
    const data = { tournament: after.title, team: name };
    if (state !== "entered") {
      return members.map(({ userId }) => ({
        kind: "tournament-withdrawn",
        userId,
        subject,
        data: { ...data, by: state },
      }));
    }
    return known.get(id) === "waiting"
      ? members.map(({ userId }) => ({ kind: "tournament-place", userId, subject, data }))
      : [];
  });
}

const ENDED: ReadonlySet<PlayEvent["action"]> = new Set(["confirmed", "counted", "forfeited", "claimed", "ruled"]);
