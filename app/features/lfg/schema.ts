import * as z from "zod";
import { RANKS } from "~/game/ranks";
import { REGIONS } from "~/game/regions";
import { ROLES } from "~/game/roles";
import { multiLine, singleLine } from "~/platform/forms/text";
import { MAX_MESSAGE_LENGTH, MAX_TITLE_LENGTH } from "./rules";

const PLAYERS = "Choose how many players you need, 1 to 4.";

/** The form of a post; empty fields become null. */
export const postSchema = z.object({
  title: singleLine({ max: MAX_TITLE_LENGTH, name: "title" }, "Give your post a title."),
  message: multiLine({ max: MAX_MESSAGE_LENGTH, name: "message" })
    .optional()
    .transform((text) => text || null),
  neededPlayers: z.number({ error: PLAYERS }).int(PLAYERS).min(1, PLAYERS).max(4, PLAYERS),
  requiredRank: z
    .enum(RANKS, { error: "Choose a rank from the list." })
    .optional()
    .transform((rank) => rank ?? null),
  requiredRole: z
    .enum(ROLES, { error: "Choose a role from the list." })
    .optional()
    .transform((role) => role ?? null),
  region: z
    .enum(REGIONS, { error: "Choose a region from the list." })
    .optional()
    .transform((region) => region ?? null),
});

export type PostFields = z.output<typeof postSchema>;

/** The form of an edited post. `version` identifies the values that the form was filled with (`postVersion`). */
export const editedPostSchema = postSchema.extend({ version: z.string().optional() });

/** The form of a new post. It contains the post's future id, so that submitting it twice creates one post. */
export const newPostSchema = postSchema.extend({
  id: z.uuid({ error: "This form is out of date. Open it again." }).toLowerCase(),
});

/** The buttons of a post's author. */
export const postButtonSchema = z.enum(["bump", "close", "reopen"]);

export type PostButton = z.output<typeof postButtonSchema>;
