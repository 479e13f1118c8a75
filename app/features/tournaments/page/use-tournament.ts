import { useRouteLoaderData } from "@remix-run/react";
import type { Rank } from "~/game/ranks";
import type { TournamentPage } from "./page.server";

/** The frame's data: the tournament, the viewer's rank, and the zone in which times are shown. */
interface Frame extends TournamentPage {
  rank: Rank | null;
  zone: string;
}

/**
 * Returns the data that the tournament's frame has loaded (`app/routes/tournaments.$tournamentId.tsx`), for its tabs
 * and dialogs.
 */
export function useTournament(): Frame {
  return useRouteLoaderData("routes/tournaments.$tournamentId") as Frame;
}
