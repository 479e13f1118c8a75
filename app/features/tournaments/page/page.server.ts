import { presentViewer } from "~/features/dashboard/shared/frame.server";
import type { Clock } from "~/platform/dates/dates";
import type { Viewer } from "~/platform/session/viewer";
import { presentCard, presenter, presentTournament } from "../present.server";
import type { TournamentCardRow, TournamentRow } from "../queries.server";
import { mayWithdraw } from "../registration/rules";

/** How many other tournaments are shown below this one. */
export const MORE_TOURNAMENTS = 2;

/** Presents the frame of a tournament's pages: its head, the viewer's part in it, and other tournaments. */
export function presentPage(
  tournament: TournamentRow,
  viewer: Viewer | null,
  upcoming: readonly TournamentCardRow[],
  clock: Clock,
) {
  const words = presenter(clock);
  const { isHost, isOrganiser, team } = tournament.viewer;
  return {
    tournament: presentTournament(tournament, words),
    viewer: viewer && { ...presentViewer(viewer), isVerified: viewer.verified },
    isHost: viewer !== null && isHost,
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
      .map((other) => presentCard(other, words)),
  };
}

export type TournamentPage = ReturnType<typeof presentPage>;
