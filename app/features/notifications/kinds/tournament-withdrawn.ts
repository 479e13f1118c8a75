import * as z from "zod";
import { defineKind, type Words } from "../kind";

const WORDS = {
  captain: (team, tournament) => ({ sentence: `“${team}” has withdrawn from “${tournament}”` }),
  organiser: (team, tournament) => ({ sentence: `The organisers have taken “${team}” out of “${tournament}”` }),
  absent: (team, tournament) => ({
    sentence: `“${tournament}” has begun without “${team}”`,
    detail: "Your team was not complete, verified and checked in at the start.",
  }),
  waiting: (team, tournament) => ({
    sentence: `“${tournament}” has begun without “${team}”`,
    detail: "No place came free this time.",
  }),
} satisfies Record<string, (team: string, tournament: string) => Words>;

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
  words: ({ team, tournament, by }) => WORDS[by](team, tournament),
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: {
    label: "Withdrawn teams",
    sentence: "When your team is taken out of a tournament, or it begins without you.",
  },
});
