import { useRouteLoaderData } from "@remix-run/react";
import type { Rank } from "~/game/ranks";
import type { TournamentPage } from "./page.server";

/** What the frame knows besides: the viewer's rank, and whose clock its times are by. */
interface Frame extends TournamentPage {
  rank: Rank | null;
  zone: string;
}

/** What the tournament's frame has loaded (`app/routes/tournaments.$tournamentId.tsx`), for its tabs and dialogs. */
export function useTournament(): Frame {
  return useRouteLoaderData("routes/tournaments.$tournamentId") as Frame;
}
