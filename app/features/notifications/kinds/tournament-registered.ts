import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A team has registered. Sent to the organisers by `registerTeam` in
 * `app/features/tournaments/registration/register.server.ts`.
 */
export const tournamentRegistered = defineKind({
  name: "tournament-registered",
  data: z.object({ team: z.string(), tournament: z.string(), count: z.int().min(1).catch(1) }),
  words: ({ team, tournament, count }) => ({
    sentence:
      count === 1 ? `“${team}” registered for “${tournament}”` : `${count} teams registered for “${tournament}”`,
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}/teams`,
  setting: { label: "Registrations", sentence: "When a team registers for a tournament you run." },
});
