import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A team has moved up from the waiting list. Sent by `moveUp` in
 * `app/features/tournaments/registration/waiting-list.server.ts`.
 */
export const tournamentPlace = defineKind({
  name: "tournament-place",
  data: z.object({ tournament: z.string(), team: z.string() }),
  words: ({ tournament, team }) => ({ sentence: `A spot opened up: ${team} is in`, detail: tournament }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: {
    label: "Spots off the waiting list",
    sentence: "When your team moves up from a tournament's waiting list.",
  },
});
