import * as z from "zod";
import { sayPlace } from "~/features/tournaments/shared/places";
import { defineKind } from "../kind";

/** A tournament is over. Sent by its room: `app/features/tournaments/play/news.ts`. */
export const tournamentFinished = defineKind({
  name: "tournament-finished",
  // `place` is null for players who registered but did not play.
  data: z.object({
    tournament: z.string(),
    winner: z.string(),
    place: z.number().nullable(),
    lastPlace: z.number().nullish(),
  }),
  words: ({ tournament, winner, place, lastPlace }) => ({
    sentence: place === 1 ? `You won “${tournament}”` : `${winner} won “${tournament}”`,
    ...(place !== null && place > 1 && { detail: `You finished ${sayPlace(place, lastPlace ?? null)}.` }),
  }),
  names: null,
  href: (tournamentId) => `/tournaments/${tournamentId}`,
  setting: { label: "Finished tournaments", sentence: "When a tournament you played in is over." },
});
