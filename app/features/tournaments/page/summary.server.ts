import { sayRankRange } from "~/game/rank-range";
import type { Clock } from "~/platform/dates/dates";
import { zoneNote } from "~/platform/dates/time-zone";
import { sentence, sharedMoment, summary } from "~/platform/pages/summary.server";
import { FORMAT_NAMES } from "../format/formats";
import { money } from "../money";
import { presenter } from "../present.server";
import type { TournamentRow } from "../queries.server";
import { phaseOf } from "../rules";
import { STATE_WORDS } from "../states";

/**
 * Describes a tournament for previews of its link. While it is open, this begins with its start, unless the date has
 * passed, and its free spots, or that registration has closed. Otherwise it begins with its state. The eligible
 * players, entry fee, format and description follow.
 */
export function summariseTournament(row: TournamentRow, now: Date): string {
  const left = Math.max(0, row.maxParticipants - row.currentParticipants);
  const isOpen = row.state === "open";
  const spots = left > 0 ? `${left} of ${row.maxParticipants} spots left.` : "Full.";
  return summary(
    isOpen
      ? now < row.tournamentDate && `Starts ${sharedMoment(row.tournamentDate)}.`
      : sentence(STATE_WORDS[row.state]),
    isOpen && (phaseOf(row, now) === "registration" ? spots : "Registration closed."),
    sentence(sayRankRange(row.minRank, row.maxRank) ?? "any rank", row.region ?? "any region"),
    sentence(row.entryFee > 0 ? `entry fee ${money(row.entryFee)}` : "free", FORMAT_NAMES[row.format].toLowerCase()),
    row.description,
  );
}

/**
 * States what a player agrees to by registering, in the viewer's time: "Mon 30 Nov, 20:48 your time. Entry fee $5.00
 * per player, prize pool $25.00. Single elimination, teams of 2, 8 spots, Gold 1 and up, Europe."
 */
export function sayTerms(row: TournamentRow, clock: Clock): string {
  return [
    `${presenter(clock).show(row.tournamentDate).text} ${zoneNote(clock)}.`,
    sentence(
      row.entryFee > 0 ? `entry fee ${money(row.entryFee)} per player` : "free entry",
      row.prizePool > 0 && `prize pool ${money(row.prizePool)}`,
    ),
    sentence(
      FORMAT_NAMES[row.format],
      row.teamSize === 1 ? "solo" : `teams of ${row.teamSize}`,
      `${row.maxParticipants} spots`,
      sayRankRange(row.minRank, row.maxRank) ?? "any rank",
      row.region ?? "any region",
    ),
  ].join(" ");
}
