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
    sentence: `You're now an organiser of “${tournament}”`,
    detail: "You can step down at any time.",
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}/manage`,
  setting: { label: "Organising", sentence: "When a host makes you an organiser of their tournament." },
});
