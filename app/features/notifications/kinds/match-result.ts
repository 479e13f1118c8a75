import * as z from "zod";
import { defineKind } from "../kind";

/** A match of the player's team is decided, or is so no longer. Told by a tournament's room: `app/features/tournaments/play/news.ts`. */
export const matchResult = defineKind({
  name: "match-result",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    winner: z.string().nullable(),
    loser: z.string().nullable(),
    // Null after a forfeit.
    score: z.string().nullable(),
    // The organisers have opened it again, or a match before it.
    undone: z.enum(["again", "off"]).optional(),
  }),
  words: ({ tournament, match, winner, loser, score, undone }) => ({
    sentence:
      undone === "again"
        ? `${match} is played again: its result was taken back`
        : undone === "off"
          ? `${match} is off for now: a match before it is played again`
          : score === null
            ? `${winner} won your ${match}: ${loser} forfeited`
            : `${winner} won your ${match} ${score}`,
    detail: tournament,
  }),
  href: (match) => `/tournaments/${match.replace("/", "/matches/")}`,
  setting: {
    label: "Results of your matches",
    sentence: "When a match of your team is decided, or its result is taken back.",
  },
});
