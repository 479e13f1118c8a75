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
    detail: "Miss check-in and you may lose your spot.",
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Check-in", sentence: "When check-in opens for a tournament you're in." },
});
