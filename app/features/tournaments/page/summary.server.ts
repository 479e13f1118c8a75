import { sayRankRange } from "~/game/rank-range";
import { sentence, sharedMoment, summary } from "~/platform/pages/summary.server";
import { FORMAT_NAMES } from "../format/formats";
import { money } from "../money";
import type { TournamentRow } from "../queries.server";
import { STATE_WORDS } from "../states";

/**
 * Describes a tournament for previews of its link: its start and free spots while it is open, else its state; then the
 * eligible players, entry fee, format and description.
 */
export function summariseTournament(row: TournamentRow): string {
  const left = Math.max(0, row.maxParticipants - row.currentParticipants);
  return summary(
    row.state === "open" ? `Starts ${sharedMoment(row.tournamentDate)}.` : sentence(STATE_WORDS[row.state]),
    row.state === "open" && (left > 0 ? `${left} of ${row.maxParticipants} spots left.` : "Full."),
    sentence(sayRankRange(row.minRank, row.maxRank) ?? "any rank", row.region ?? "any region"),
    sentence(row.entryFee > 0 ? `entry fee ${money(row.entryFee)}` : "free", FORMAT_NAMES[row.format].toLowerCase()),
    row.description,
  );
}
