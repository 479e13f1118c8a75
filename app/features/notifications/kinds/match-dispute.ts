import * as z from "zod";
import { defineKind } from "../kind";

/** Organisers have to decide. Told by a tournament's room: `app/features/tournaments/play/news.ts`. */
export const matchDispute = defineKind({
  name: "match-dispute",
  data: z.object({ tournament: z.string(), match: z.string(), isOverdue: z.boolean().catch(false) }),
  words: ({ tournament, match, isOverdue }) => ({
    sentence: isOverdue ? `${match} is overdue` : `${match} is disputed: you decide`,
    detail: tournament,
  }),
  href: (match) => `/tournaments/${match.replace("/", "/matches/")}`,
  setting: {
    label: "Disputes",
    sentence: "When a match of a tournament that you organise is disputed, or its time is over.",
  },
});
