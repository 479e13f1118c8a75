import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Someone has left the player's team, or the player was taken out of one. Sent by `leaveTeam` and `removeMember` in
 * `app/features/teams/departures.server.ts`.
 */
export const teamChange = defineKind({
  name: "team-change",
  // The name is null for the player who was removed, and the title if they have blocked its author.
  data: z.object({ title: z.string().nullable(), name: z.string().nullable() }),
  words: ({ title, name }) =>
    name === null
      ? { sentence: `You are no longer in the team of ${title === null ? "a player you blocked" : `“${title}”`}` }
      : { sentence: `${name} has left your team of “${title}”`, from: name },
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Changes in your team", sentence: "When a player leaves your team, or you are taken out of one." },
});
