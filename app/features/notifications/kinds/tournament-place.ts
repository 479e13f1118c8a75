import * as z from "zod";
import { defineKind } from "../kind";

/** The player's team has come off the waiting list. Told by `moveUp` in `app/features/tournaments/registration/changes.server.ts`. */
export const tournamentPlace = defineKind({
  name: "tournament-place",
  data: z.object({ team: z.string(), tournament: z.string() }),
  words: ({ team, tournament }) => ({ sentence: `A place is free: “${team}” is in “${tournament}”` }),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Places off the waiting list", sentence: "When your team gets a place in a tournament after all." },
});
