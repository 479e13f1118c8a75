import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A tournament's date has passed, and nobody has started it. Sent once to its organisers by the cron job, with
 * `notifyUnstarted` in `app/features/tournaments/hosting/unstarted.server.ts`.
 */
export const tournamentDue = defineKind({
  name: "tournament-due",
  data: z.object({ tournament: z.string() }),
  words: ({ tournament }) => ({
    sentence: `It's time to start “${tournament}”`,
    detail: "If nobody starts it within a week, it's cancelled.",
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}/seeding`,
  setting: { label: "Time to start", sentence: "When it's time to start a tournament you run." },
});
