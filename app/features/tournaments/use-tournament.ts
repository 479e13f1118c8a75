import { useRouteLoaderData } from "@remix-run/react";
import type { TournamentPage } from "./page.server";

/** What the tournament's frame has loaded (`app/routes/tournaments.$tournamentId.tsx`), for its tabs and dialogs. */
export function useTournament(): TournamentPage {
  return useRouteLoaderData("routes/tournaments.$tournamentId") as TournamentPage;
}
