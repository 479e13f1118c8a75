import * as z from "zod";
import { defineKind } from "../kind";

/**
 * The player's team is out of a tournament before it began, or when it did. Told by `withdrawTeam` and `removeTeam` in
 * `app/features/tournaments/registration/withdraw.server.ts`, and at the start by `app/features/tournaments/play/news.ts`.
 */
export const tournamentWithdrawn = defineKind({
  name: "tournament-withdrawn",
  data: z.object({
    team: z.string(),
    tournament: z.string(),
    // At the start it was absent, or still waiting.
    by: z.enum(["captain", "organiser", "absent", "waiting"]),
  }),
  words: ({ team, tournament, by }) => ({
    sentence:
      by === "captain"
        ? `“${team}” has withdrawn from “${tournament}”`
        : by === "organiser"
          ? `The organisers have taken “${team}” out of “${tournament}”`
          : by === "absent"
            ? `“${tournament}” has begun: “${team}” was not complete, verified and checked in`
            : `“${tournament}” has begun: no place came free for “${team}”`,
  }),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: {
    label: "Withdrawn teams",
    sentence: "When your team is taken out of a tournament, or it begins without you.",
  },
});
