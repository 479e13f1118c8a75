import { presentViewer } from "~/features/dashboard/shared/frame.server";
import type { RequestContext } from "~/platform/context";
import type { Clock } from "~/platform/dates/dates";
import type { Viewer } from "~/platform/session/viewer";
import { listingGaps } from "../hosting/listing.server";
import { presentCard, presenter, presentTournament } from "../present.server";
import type { TournamentCardRow, TournamentRow } from "../queries.server";
import { mayWithdraw } from "../registration/rules";
import { phaseOf } from "../rules";
import { writeTerms } from "../terms.server";
import { sayTerms, summariseTournament } from "./summary.server";

/** Number of other tournaments shown below this one. */
export const MORE_TOURNAMENTS = 2;

/** Presents the frame of a tournament's pages: its head, the viewer's part in it, and other tournaments. */
export function presentPage(
  tournament: TournamentRow,
  viewer: Viewer | null,
  upcoming: readonly TournamentCardRow[],
  clock: Clock,
  settings: Pick<RequestContext, "env" | "origin">,
) {
  const words = presenter(clock);
  const { isHost, isOrganiser, team } = tournament.viewer;
  return {
    tournament: presentTournament(tournament, words),
    summary: summariseTournament(tournament, clock.now),
    /** For the registration form, which is refused if the terms have changed since, unless for the better. */
    terms:
      viewer && phaseOf(tournament, clock.now) === "registration"
        ? { value: writeTerms(tournament), words: sayTerms(tournament, clock) }
        : null,
    viewer: viewer && { ...presentViewer(viewer), isVerified: viewer.verified },
    isHost: viewer !== null && isHost,
    /** Set for the host of a tournament that lists don't show. */
    unlisted:
      viewer && isHost && !tournament.isListed
        ? { gaps: listingGaps(settings, viewer), link: `${settings.origin}/tournaments/${tournament.id}` }
        : null,
    isOrganiser: viewer !== null && isOrganiser,
    /** The viewer's own team. */
    team: viewer &&
      team && {
        ...team,
        checkedInAt: team.checkedInAt?.toISOString() ?? null,
        canWithdraw: team.isCaptain && mayWithdraw(tournament, team.state, clock.now),
      },
    more: upcoming
      .filter(({ id }) => id !== tournament.id)
      .slice(0, MORE_TOURNAMENTS)
      // A query by an ended session still finds its player's entries. There is no viewer then, so leave them out.
      .map((other) => presentCard(viewer ? other : { ...other, entry: null }, words)),
  };
}

export type TournamentPage = ReturnType<typeof presentPage>;
