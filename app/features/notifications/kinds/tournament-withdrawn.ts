import * as z from "zod";
import { defineKind } from "../kind";

/**
 * The player's team is out of a tournament before it began. Told by `withdrawTeam` and `removeTeam` in
 * `app/features/tournaments/registration/withdraw.server.ts`.
 */
export const tournamentWithdrawn = defineKind({
  name: "tournament-withdrawn",
  data: z.object({ team: z.string(), tournament: z.string(), by: z.enum(["captain", "organiser"]) }),
  words: ({ team, tournament, by }) => ({
    sentence:
      by === "captain"
        ? `“${team}” has withdrawn from “${tournament}”`
        : `The organisers have taken “${team}” out of “${tournament}”`,
  }),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Withdrawn teams", sentence: "When your team is taken out of a tournament before it begins." },
});
