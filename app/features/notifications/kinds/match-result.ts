import * as z from "zod";
import { nameInSentence } from "~/features/tournaments/shared/match-names";
import { defineKind } from "../kind";

/**
 * A match of the player's team was decided; or it was undone, whether or not it had a result. Sent by a tournament's
 * room: `app/features/tournaments/play/news.ts`.
 */
export const matchResult = defineKind({
  name: "match-result",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    winner: z.string().nullable(),
    loser: z.string().nullable(),
    // Null after a forfeit, and if the match was undone.
    score: z.string().nullable(),
    // Set if the match was undone, even if it had no result yet: `again` if the same teams play it, otherwise `off`.
    undone: z.enum(["again", "off"]).optional(),
    // Whether the reader's team has won; missing in older notifications.
    hasWon: z.boolean().optional(),
  }),
  words: (news) => ({ sentence: sentenceOf(news), detail: news.tournament }),
  names: null,
  // If the match no longer exists (a play-off that is no longer drawn), the link leads to the tournament.
  href: (tournamentId, matchId) => `/tournaments/${tournamentId}${matchId ? `/matches/${matchId}` : ""}`,
  setting: {
    label: "Results of your matches",
    sentence: "When your team's match is decided, or its result is undone.",
  },
});

interface Result {
  match: string;
  winner: string | null;
  loser: string | null;
  score: string | null;
  undone?: "again" | "off" | undefined;
  hasWon?: boolean | undefined;
}

function sentenceOf({ match, winner, loser, score, undone, hasWon }: Result): string {
  if (undone === "again") return `${match} will be replayed: its result was undone`;
  if (undone === "off") return `${match} is on hold: an earlier match will be replayed`;
  const name = nameInSentence(match);
  const winners = hasWon ? "You" : winner;
  if (score !== null) return `${winners} won ${name}, ${score}`;
  return hasWon === false ? `${winner} won ${name}: your side forfeited` : `${winners} won ${name}: ${loser} forfeited`;
}
