import * as z from "zod";
import { defineKind } from "../kind";

/**
 * A host has made the player an organiser; the player can step down. Sent by `addOrganiser` in
 * `app/features/tournaments/hosting/organisers.server.ts`.
 */
export const tournamentOrganiser = defineKind({
  name: "tournament-organiser",
  data: z.object({ tournament: z.string() }),
  words: ({ tournament }) => ({
    sentence: `You help to run “${tournament}” now`,
    detail: "You can step down whenever you like.",
  }),
  href: (tournamentId) => `/tournaments/${tournamentId}/manage`,
  setting: { label: "Organising", sentence: "When a host makes you an organiser of their tournament." },
});
