import * as z from "zod";
import { defineKind } from "../kind";

/** A match of the player's team is decided. Told by a tournament's room: `app/features/tournaments/play/news.ts`. */
export const matchResult = defineKind({
  name: "match-result",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    winner: z.string().nullable(),
    loser: z.string().nullable(),
    // Null after a forfeit.
    score: z.string().nullable(),
  }),
  words: ({ tournament, match, winner, loser, score }) => ({
    sentence:
      score === null ? `${winner} won your ${match}: ${loser} forfeited` : `${winner} won your ${match} ${score}`,
    detail: tournament,
  }),
  href: (match) => `/tournaments/${match.replace("/", "/matches/")}`,
  setting: { label: "Results of your matches", sentence: "When a match of your team is decided." },
});
