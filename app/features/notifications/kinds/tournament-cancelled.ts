import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A tournament was cancelled. Sent to its players and organisers by `buildCancellation` in
 * `app/features/tournaments/hosting/commands.server.ts`.
 */
export const tournamentCancelled = defineKind({
  name: "tournament-cancelled",
  data: z.object({ tournament: z.string(), reason: z.string().nullable().catch(null) }),
  // The reason is null if the recipient has blocked its author.
  words: ({ tournament, reason }) => ({
    sentence: `“${tournament}” was cancelled`,
    ...(reason !== null && { detail: reason }),
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Cancelled tournaments", sentence: "When a tournament you play in or organise is cancelled." },
});
