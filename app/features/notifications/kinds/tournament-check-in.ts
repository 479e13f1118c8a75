import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Check-in has opened. Sent once to the players of a tournament by the cron job, with `notifyCheckInOpen` in
 * `app/features/tournaments/registration/check-in.server.ts`.
 */
export const tournamentCheckIn = defineKind({
  name: "tournament-check-in",
  data: z.object({ tournament: z.string() }),
  words: ({ tournament }) => ({
    sentence: `Check-in is open for “${tournament}”`,
    detail: "Teams that don't check in lose their place.",
  }),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Check-in", sentence: "When your team can check in for a tournament." },
});
