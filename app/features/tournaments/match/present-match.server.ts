import type { EventDetails } from "#db/words/event-actions";
import type { Side } from "#party/wire/tournament-commands";
import { leavingLinks, type Signing } from "~/features/flags/shared/leaving.server";
import { type ThreadEvent, threadEvent } from "~/features/messages/rules";
import { initial, UNKNOWN_PLAYER } from "~/features/players/rules";
import { type MapResult, type MatchLength, mapScore, mapsToPlay } from "~/game/scores";
import { type Clock, dateWords, type ShownDate, type ShownTime } from "~/platform/dates/dates";
import { MINUTE } from "~/platform/dates/durations";
import type { Viewer } from "~/platform/session/viewer";
import { eventWords } from "../events";
import { askedSince, type Phase, phaseOfMatch } from "../play/phase";
import { swapSides, writeShown } from "../play/schema";
import { otherSide } from "../play/state";
import type { MatchEvent } from "./match-log.server";
import { optionsOf } from "./match-page.server";
import type { MatchPlayer } from "./match-players.server";
import type { Match } from "./queries.server";

/**
 * Presents a match. Viewers see their own team on the left; everyone else sees the sides in bracket order. Evidence by
 * a player whom the viewer has blocked is hidden.
 * @param showsAll whether the viewer has asked for the hidden evidence
 */
export function presentMatch(
  match: Match,
  players: readonly MatchPlayer[],
  events: readonly MatchEvent[],
  viewer: Viewer | null,
  reader: Clock,
  showsAll: boolean,
) {
  const { now } = reader;
  const show = dateWords(reader);
  const clock = clockWords(show, now);
  const side = viewer ? match.viewer.side : null;
  const left: Side = side ?? 1;
  const sides = [left, otherSide(left)] as const;
  const facing = <T>([one, two]: readonly [T, T]): [T, T] => (left === 1 ? [one, two] : [two, one]);
  const [one, two] = match.checkedInAt;
  const phase = phaseOfMatch({ tournament: match.tournament.state, state: match.state, checkedIn: [!!one, !!two] });
  // A match that was decided by forfeit keeps the report that didn't count.
  const result = match.maps ?? (match.forfeit === null ? match.report : null);
  const maps = result && (left === 1 ? result : swapSides(result));
  const nameOf = (of: Side | null) => (of === null ? null : (match.teams[of - 1]?.name ?? null));
  const mayReadDispute = viewer !== null && (side !== null || match.viewer.isOrganiser);
  const isHidden = ({ isByBlocked }: MatchEvent) => isByBlocked && !showsAll;
  const disputed = events.findLast(({ details }) => details?.evidence && details.evidence === match.dispute);
  const isDisputeHidden = disputed !== undefined && isHidden(disputed);
  const reportOf = (event: MatchEvent | undefined) =>
    event?.actorId && event.actorId !== viewer?.id
      ? `/tournaments/${match.tournament.id}/matches/${match.id}/evidence/${event.actorId}/report`
      : null;
  return {
    id: match.id,
    name: match.name,
    tournament: {
      id: match.tournament.id,
      title: match.tournament.title,
      host: match.tournament.hostName,
      teamSize: match.tournament.teamSize,
      isRunning: match.tournament.state === "running",
      isHidden: match.tournament.isHidden,
    },
    bestOf: match.bestOf,
    advantage: match.advantage,
    phase,
    when: whenOf(match, phase, now, show),
    /** The side on the left: 1 or 2. */
    left,
    /** For the report's form. */
    shown: writeShown(match),
    teams: sides.map((of) => presentTeam(match, of, players, viewer, clock)) as [TeamView, TeamView],
    /** Maps won, once known or reported; null before that, and after a forfeit. */
    score: result ? facing(mapScore(result, match)) : match.score && facing(match.score),
    maps: maps && mapLines(maps, match, left),
    /** Whether the left side has won; null while that is undecided. */
    leftWon: match.winner === null ? null : match.winner === left,
    winner: nameOf(match.winner),
    forfeiter: nameOf(match.forfeit),
    /** The team that reported the score, or null if nobody has. */
    reporter: match.reporter === null ? null : { name: nameOf(match.reporter) ?? "", isOwn: match.reporter === side },
    /** A captain's report, while it waits for the other captain. */
    report: match.state === "reported" ? presentReport(match, nameOf, viewer, now, clock) : null,
    reportedMaps: maps ?? [],
    dispute:
      match.state === "disputed"
        ? {
            by: nameOf(match.disputer),
            evidence: mayReadDispute && !isDisputeHidden ? match.dispute : null,
            isHidden: mayReadDispute && isDisputeHidden,
            /** The page for reporting its author; null for the author's own evidence. */
            report: mayReadDispute ? reportOf(disputed) : null,
            isOwn: match.disputer === side,
          }
        : null,
    may: optionsOf(match, viewer, now),
    isPlayer: side !== null,
    isCaptain: viewer !== null && match.viewer.isCaptain,
    isOrganiser: viewer !== null && match.viewer.isOrganiser,
    /** Whether the viewer is an organiser who isn't in the match chat yet. */
    mayJoinChat:
      viewer !== null &&
      match.viewer.isOrganiser &&
      match.hasChat &&
      !match.viewer.isInChat &&
      !match.tournament.isHidden &&
      match.tournament.state !== "cancelled",
    deadline: match.deadlineAt && clock(match.deadlineAt),
    isLate: match.deadlineAt !== null && match.deadlineAt <= now,
    log: events.map((event) => {
      const evidence = viewer && evidenceIn(event, match);
      return {
        id: event.id,
        words: logWords(event),
        time: clock(event.createdAt),
        evidence: isHidden(event) ? null : evidence,
        isHidden: evidence !== null && isHidden(event),
        report: evidence === null ? null : reportOf(event),
      };
    }),
  };
}

export type MatchView = ReturnType<typeof presentMatch>;

/** The leaving page's paths for the suspicious links in the evidence that a page shows: see `leavingLinks`. */
export function leavingLinksIn(signing: Signing, { dispute, log }: MatchView): Record<string, string> | undefined {
  const evidence = [dispute?.evidence, ...log.map((event) => event.evidence)];
  return leavingLinks(signing, evidence.filter(Boolean).join("\n"), false);
}

type Show = (moment: Date) => ShownDate;

/** Shows a moment of a match: "19:41" today, "Sat 21 Nov, 19:41" on other days. */
type ShowTime = (moment: Date) => ShownTime;

function clockWords(show: Show, now: Date): ShowTime {
  const today = show(now).day;
  return (moment) => {
    const { iso, text, day, clock, exact } = show(moment);
    return { iso, text: day === today ? clock : text, exact };
  };
}

/** Returns the time in a match's head, and the words before it; null if there is none to show. */
function whenOf(match: Match, phase: Phase, now: Date, show: Show): { words: string; date: ShownDate } | null {
  const { deadlineAt, readyAt, finishedAt, tournament } = match;
  if (phase === "Check-in" && deadlineAt) return { words: "Check in by", date: show(deadlineAt) };
  if (phase === "Playing now" && deadlineAt) return { words: "Result by", date: show(deadlineAt) };
  if (finishedAt) return { words: "", date: show(finishedAt) };
  // Other phases may show a score, which came later than this moment.
  if (readyAt) return phase === "Check-in" || phase === "Playing now" ? { words: "Since", date: show(readyAt) } : null;
  return tournament.date > now ? { words: "From", date: show(tournament.date) } : null;
}

/** A team of a match as its page shows it. `isKnown` is false for a team that has yet to win its way here. */
export interface TeamView {
  isKnown: boolean;
  /** The team's name, or a description of the team that will play here. */
  name: string;
  facts: string;
  isDisqualified: boolean;
  isYours: boolean;
  /** When it checked in. */
  checkedIn: ShownTime | null;
  players: PlayerView[];
  substitutes: { id: string; name: string }[];
}

export interface PlayerView {
  id: string;
  name: string;
  letter: string;
  picture: string | null;
  rank: MatchPlayer["rank"];
  role: MatchPlayer["role"];
  isYou: boolean;
}

function presentTeam(
  match: Match,
  side: Side,
  players: readonly MatchPlayer[],
  viewer: Viewer | null,
  clock: ShowTime,
): TeamView {
  const team = match.teams[side - 1] ?? null;
  const at = match.checkedInAt[side - 1] ?? null;
  const nobody = match.state === "bye" || match.slots[side - 1] === null ? "No opponent" : "";
  const own = players.filter(({ teamId }) => teamId === team?.id);
  const isYours = viewer !== null && match.viewer.side === side;
  return {
    isKnown: team !== null,
    name: team?.name ?? match.slots[side - 1] ?? nobody,
    facts: team
      ? factsOf(team, { isYours, isSolo: match.tournament.teamSize === 1, isCaptain: match.viewer.isCaptain })
      : "",
    isDisqualified: team?.isDisqualified ?? false,
    isYours,
    checkedIn: at && clock(at),
    players: own
      .filter(({ isSubstitute }) => !isSubstitute)
      .map(({ userId, name, picture, rank, role }) => ({
        id: userId,
        name,
        letter: initial(name),
        picture,
        rank,
        role,
        isYou: userId === viewer?.id,
      })),
    substitutes: own.filter(({ isSubstitute }) => isSubstitute).map(({ userId, name }) => ({ id: userId, name })),
  };
}

/** "Your team, seed 4. You are the captain." */
function factsOf(
  { seed, captain }: NonNullable<Match["teams"][number]>,
  { isYours, isSolo, isCaptain }: { isYours: boolean; isSolo: boolean; isCaptain: boolean },
): string {
  const place = seed === null ? "" : `seed ${seed}`;
  if (isSolo) return isYours ? `You${place && `, ${place}`}` : place && `Seed ${seed}`;
  if (isYours) {
    const who = isCaptain ? "You are the captain." : captain ? `Captain: ${captain.name}` : "It has no captain.";
    return `Your team${place && `, ${place}`}. ${who}`;
  }
  return [place && `Seed ${seed}`, captain ? `Captain: ${captain.name}` : "No captain"].filter(Boolean).join(". ");
}

/** The maps of a match, including those that were not played. If a side started one map up, that line comes first. */
function mapLines(maps: readonly MapResult[], length: MatchLength, left: Side) {
  const { advantage } = length;
  const start = { name: "Advantage", score: advantage === left ? "1 map to 0" : "0 maps to 1" };
  const lines = Array.from({ length: mapsToPlay(length) }, (_, index) => {
    const played = maps[index];
    return {
      name: played?.map ?? `Map ${index + 1}`,
      score: played ? `${played.rounds[0]} to ${played.rounds[1]}` : null,
    };
  });
  return advantage === null ? lines : [start, ...lines];
}

function presentReport(
  match: Match,
  nameOf: (side: Side | null) => string | null,
  viewer: Viewer | null,
  now: Date,
  clock: ShowTime,
) {
  const reporter = match.reporter as Side;
  const other = otherSide(reporter);
  const { tournament, reportedAt, confirmBy } = match;
  const since =
    reportedAt && confirmBy && askedSince(tournament.date.getTime(), reportedAt.getTime(), confirmBy.getTime());
  return {
    by: nameOf(reporter) ?? "",
    other: nameOf(other) ?? "",
    isOwn: viewer !== null && match.viewer.side === reporter,
    /** The captain who must confirm; null if that team has none. */
    captain: match.teams[other - 1]?.captain?.name ?? null,
    since: since && clock(new Date(since)),
    /** Distinguishes this report from a later one. Milliseconds since 1970. */
    reportedAt: reportedAt?.getTime() ?? 0,
    minutes: since && confirmBy ? Math.round((confirmBy.getTime() - since) / MINUTE) : 0,
    /** Null until the room has called the match again, after a hidden tournament is shown again. */
    until: confirmBy && clock(confirmBy),
    /** The milliseconds until then. */
    left: confirmBy ? confirmBy.getTime() - now.getTime() : 0,
  };
}

/**
 * Returns a captain's report in words, for dialogs, which may cover the match's page: "Team 4 reported: Team 1 won 2 to
 * 1 (Haven 13 to 9, 8 to 13, Lotus 13 to 11)." The rounds of the side that won come first. Null if there is no report.
 */
export function sayReport(match: Match): string | null {
  const { reporter, report, teams } = match;
  if (reporter === null || report === null) return null;
  const [one, two] = mapScore(report, match);
  const winner: Side = one > two ? 1 : 2;
  const maps = (winner === 1 ? report : swapSides(report)).map(({ map, rounds }) =>
    [map ?? "", rounds.join(" to ")].join(" ").trim(),
  );
  const [by = "", winnerName = ""] = [reporter, winner].map((side) => teams[side - 1]?.name ?? "");
  return `${by} ${eventWords("reported", { one, two, winner: winnerName })} (${maps.join(", ")}).`;
}

/** Presents the events of a match between the messages of its chat. */
export const presentChatEvents = (events: readonly MatchEvent[]): ThreadEvent[] =>
  events.map((event) => threadEvent(event.id, logWords(event), event.createdAt.getTime()));

/** A line of the log: "miravel reported: Second Site won 2 to 0". Automatic events begin with a capital. */
function logWords({ actorName, action, details }: Pick<MatchEvent, "actorName" | "action" | "details">): string {
  const parts = (details ?? {}) as EventDetails;
  const words = eventWords(action, parts);
  if (AUTOMATIC.has(action)) return words.charAt(0).toUpperCase() + words.slice(1);
  // A solo team has its player's name, so don't say the name twice.
  return `${actorName ?? UNKNOWN_PLAYER} ${parts.team === actorName ? words.replace(` for ${actorName}`, "") : words}`;
}

/**
 * Returns the evidence of a dispute to viewers who may read it: the organisers, and the two teams that played. Null for
 * everyone else, and while the page already shows the evidence elsewhere.
 */
function evidenceIn({ details }: MatchEvent, match: Match): string | null {
  if (!details?.evidence || (match.state === "disputed" && details.evidence === match.dispute)) return null;
  const { isOrganiser, side } = match.viewer;
  const team = side && match.teams[side - 1]?.id;
  return isOrganiser || (team && (team === details.team1 || team === details.team2)) ? String(details.evidence) : null;
}

const AUTOMATIC = new Set(["counted", "overdue", "won", "undone", "defaulted"]);
