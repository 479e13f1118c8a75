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
    sentence: `It is time to start “${tournament}”`,
    detail: "A tournament that nobody starts within a week is cancelled.",
  }),
  href: (tournamentId) => `/tournaments/${tournamentId}/seeding`,
  setting: { label: "Time to start", sentence: "When it is time to start a tournament that you run." },
});
