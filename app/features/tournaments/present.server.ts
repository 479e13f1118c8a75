import { displayName, UNKNOWN_PLAYER } from "~/features/players/rules";
import { type Clock, dateWords } from "~/platform/dates/dates";
import { eventWords } from "./events";
import { FORMAT_NAMES } from "./format/formats";
import type { listEvents } from "./hosting/log.server";
import type { OwnPart } from "./list/tournament-card";
import type { TournamentCardRow, TournamentRow } from "./queries.server";
import { allFees, checkInOpensAt, isCheckInOpen, phaseOf } from "./rules";
import { STATE_WORDS } from "./states";

type Host = { userId: string; riotGameName: string | null; riotId: string | null } | null;

/** Returns the name under which pages show a tournament's host. */
export const hostName = (host: Host): string => (host ? displayName(host) : UNKNOWN_PLAYER);

/** Prepares the time and the date formatter that the functions below take. A page calls it once for all tournaments. */
export function presenter(clock: Clock) {
  return { now: clock.now, show: dateWords(clock) };
}

type Presenter = ReturnType<typeof presenter>;

/** The columns for a line of text about one of the viewer's own tournaments. */
type OwnRow = Pick<
  TournamentCardRow,
  "id" | "title" | "state" | "tournamentDate" | "registrationDeadline" | "checkInMinutes" | "entry"
>;

/** Describes the viewer's part in an unfinished tournament, for its card; null if they don't take part. */
function ownWords(row: OwnRow, now: Date): OwnPart | null {
  if (row.entry === null || row.entry === "absent" || row.state === "finished" || row.state === "cancelled")
    return null;
  if (row.entry === "waiting") return row.state === "open" ? "On the waiting list" : null;
  return row.entry === "entered" && isCheckInOpen(row, now) ? "Check-in open" : "Registered";
}

/** Presents a tournament for `TournamentCard`. */
export function presentCard(row: TournamentCardRow, { now, show }: Presenter) {
  return {
    to: `/tournaments/${row.id}`,
    name: row.title,
    state: STATE_WORDS[row.state],
    host: hostName(row.host),
    date: show(row.tournamentDate),
    deadline: phaseOf(row, now) === "registration" ? show(row.registrationDeadline) : null,
    feeCents: row.entryFee,
    prizeCents: row.prizePool,
    entered: row.currentParticipants,
    places: row.maxParticipants,
    solo: row.teamSize === 1,
    minRank: row.minRank,
    maxRank: row.maxRank,
    ...(row.winner !== null && { winner: row.winner }),
    own: ownWords(row, now),
  };
}

/** Presents one of the viewer's own unfinished tournaments, beside LFG. */
export function presentOwnTournament(row: OwnRow, { now, show }: Presenter) {
  const { iso, text, exact } = show(row.tournamentDate);
  const part = row.state === "running" ? STATE_WORDS.running : ownWords(row, now);
  return {
    to: `/tournaments/${row.id}`,
    name: row.title,
    date: { iso, text, exact },
    part,
    /** Whether the player has to act. */
    isUrgent: part === "Check-in open",
  };
}

/** Presents the next tournament that the viewer could enter, beside LFG. */
export function presentNextTournament(
  row: Pick<
    TournamentCardRow,
    "id" | "title" | "tournamentDate" | "currentParticipants" | "maxParticipants" | "teamSize"
  >,
  { show }: Presenter,
) {
  const { iso, text, exact } = show(row.tournamentDate);
  return {
    to: `/tournaments/${row.id}`,
    name: row.title,
    date: { iso, text, exact },
    left: row.maxParticipants - row.currentParticipants,
    solo: row.teamSize === 1,
  };
}

/** Presents a tournament for its own pages. */
export function presentTournament(row: TournamentRow, { now, show }: Presenter) {
  const opensAt = checkInOpensAt(row);
  const fees = allFees(row);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    rules: row.rules,
    /** Null once the account is gone. */
    host: row.host && { id: row.host.userId, name: hostName(row.host) },
    state: row.state,
    isListed: row.isListed,
    phase: phaseOf(row, now),
    date: show(row.tournamentDate),
    /** Whether the date has passed. The tournament still begins only when it is started. */
    isDue: now >= row.tournamentDate,
    deadline: show(row.registrationDeadline),
    /** Null if the tournament has no check-in. */
    checkIn: opensAt && { opens: show(opensAt), isOpen: isCheckInOpen(row, now), minutes: row.checkInMinutes },
    feeCents: row.entryFee,
    prizeCents: row.prizePool,
    /** The prize pool as a percentage of all fees with every place taken; null if there is no fee or no prize. */
    prizeShare: fees > 0 && row.prizePool > 0 ? Math.floor((100 * row.prizePool) / fees) : null,
    entered: row.currentParticipants,
    places: row.maxParticipants,
    waiting: row.waitingTeams,
    minRank: row.minRank,
    maxRank: row.maxRank,
    region: row.region,
    format: row.format,
    formatName: FORMAT_NAMES[row.format],
    teamSize: row.teamSize,
    bestOf: row.bestOf,
    quarterBestOf: row.quarterBestOf,
    semiBestOf: row.semiBestOf,
    lowerFinalBestOf: row.lowerFinalBestOf,
    finalBestOf: row.finalBestOf,
    grandFinal: row.grandFinal,
    groupSize: row.groupSize,
    thirdPlace: row.thirdPlace,
    seeding: row.seeding,
    tieBreaks: row.tieBreaks,
    lastTieBreak: row.lastTieBreak,
    cancelReason: row.cancelReason,
    /** Only organisers can open a hidden tournament. */
    isHidden: row.hiddenAt !== null,
    winner: row.winner,
  };
}

/**
 * Presents a page of the tournament's log.
 * @param showReasons the address that shows the reasons given by organisers whom the viewer has blocked; null if the
 *   page shows them
 */
export function presentLog(
  events: Awaited<ReturnType<typeof listEvents>>["items"],
  clock: Clock,
  showReasons: string | null,
) {
  const show = dateWords(clock);
  return events.map(({ id, action, details, createdAt, actorId, actor, name, isReasonHidden }) => ({
    id,
    at: show(createdAt),
    /** Null for events that happened automatically. */
    who: actor ? displayName(actor) : actorId ? UNKNOWN_PLAYER : null,
    what: eventWords(action, {
      ...details,
      name: name ?? UNKNOWN_PLAYER,
      ...(isReasonHidden && showReasons && { reason: null }),
    }),
    /** The address that shows its reason; null if it isn't hidden. */
    showReason: isReasonHidden ? showReasons : null,
  }));
}

export type LogEntry = ReturnType<typeof presentLog>[number];

export type TournamentView = ReturnType<typeof presentTournament>;
