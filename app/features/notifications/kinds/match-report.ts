import * as z from "zod";
import { defineKind } from "../kind";

/** The other captain has reported a score. Told by a tournament's room: `app/features/tournaments/play/news.ts`. */
export const matchReport = defineKind({
  name: "match-report",
  data: z.object({
    tournament: z.string(),
    match: z.string(),
    team: z.string(),
    one: z.number(),
    two: z.number(),
    // To answer; null where that is long.
    minutes: z.number().nullable(),
  }),
  words: ({ tournament, match, team, one, two, minutes }) => ({
    sentence: `${team} reported ${Math.max(one, two)} to ${Math.min(one, two)} for your ${match}: confirm or dispute it`,
    detail: minutes === null ? tournament : `${tournament}. After ${minutes} minutes it counts.`,
  }),
  href: (match) => `/tournaments/${match.replace("/", "/matches/")}`,
  setting: { label: "Scores to confirm", sentence: "When you are a captain and the other one has reported a score." },
});
