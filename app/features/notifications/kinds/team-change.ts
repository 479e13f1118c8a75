import * as z from "zod";
import { defineKind } from "../kind";

/**
 * Someone has left the player's team, or the player was removed from one. Sent by `leaveTeam` and `removeMember` in
 * `app/features/teams/departures.server.ts`.
 */
export const teamChange = defineKind({
  name: "team-change",
  // `name` is null for the player who was removed. `title` is null if that player has blocked the post's author.
  data: z.object({ title: z.string().nullable(), name: z.string().nullable() }),
  words: ({ title, name }) =>
    name === null
      ? {
          sentence:
            title === null
              ? "You're no longer in the team of a player you blocked"
              : `You're no longer in the team for “${title}”`,
        }
      : { sentence: `${name} left your team for “${title}”`, from: name },
  names: "asker",
  href: (postId) => `/lfg/${postId}`,
  setting: { label: "Changes to your team", sentence: "When a player leaves your team, or you're removed from one." },
});
