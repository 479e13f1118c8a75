import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A team has moved up from the waiting list. Sent by `moveUp` in
 * `app/features/tournaments/registration/waiting-list.server.ts`.
 */
export const tournamentPlace = defineKind({
  name: "tournament-place",
  data: z.object({ tournament: z.string(), team: z.string() }),
  words: ({ tournament, team }) => ({ sentence: `A place is free: ${team} is in`, detail: tournament }),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Places off the waiting list", sentence: "When your team moves up to a place in a tournament." },
});
