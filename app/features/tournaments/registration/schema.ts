import * as z from "zod";
import { ofTheirOwn } from "~/features/flags/shared/reserved-names.server";
import { RANKS } from "~/game/ranks";
import { ROLES } from "~/game/roles";
import { optionalLine, singleLine } from "~/platform/forms/text";
import { INVITED_AT_ONCE, MAX_NOTE_LENGTH, MAX_TEAM_NAME_LENGTH } from "./rules";

const id = z.uuid({ error: "This form is out of date. Open it again." }).toLowerCase();
const player = z.uuid().toLowerCase();

/** The rank of a player whose profile has none, in a tournament that needs one. */
const currentRank = z.enum(RANKS, { error: "Choose a rank from the list." }).optional();

/** The terms that the form's page showed. Pages that were loaded before this field existed send none. */
const terms = z.string().optional();

/** A registration. The form contains the team's id, so that submitting it twice registers once. */
export const registerSchema = z.object({
  id,
  name: singleLine({ max: MAX_TEAM_NAME_LENGTH, name: "name" }, "Give your team a name.").check(ofTheirOwn("name")),
  currentRank,
  terms,
});

/** A registration for a solo tournament, under the player's own name. */
export const registerAloneSchema = z.object({ id, currentRank, terms });

/** The entry of a player who is looking for a team. */
export const seekSchema = z.object({
  role: z
    .enum(ROLES, { error: "Choose a role from the list." })
    .optional()
    .transform((role) => role ?? null),
  note: optionalLine({ max: MAX_NOTE_LENGTH, name: "note" }),
});

/** The buttons of a team's own page. */
export const rosterButtonSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("accept") }),
  z.object({ intent: z.literal("decline") }),
  z.object({ intent: z.literal("leave") }),
  z.object({
    intent: z.literal("renew-link"),
    // The token of the link that the page shows.
    link: z
      .string()
      .optional()
      .transform((link) => link?.split("/").at(-1)),
  }),
  z.object({
    intent: z.literal("invite"),
    players: z.preprocess(
      (value) => (typeof value === "string" ? [value] : (value ?? [])),
      z.array(player).min(1, "Choose who to invite.").max(INVITED_AT_ONCE, `Invite up to ${INVITED_AT_ONCE} at once.`),
    ),
  }),
  z.object({ intent: z.literal("take-back"), player }),
  z.object({ intent: z.literal("remove"), player }),
  z.object({ intent: z.literal("hand-over"), player }),
  z.object({ intent: z.literal("swap"), player, substitute: player }),
  z.object({ intent: z.literal("remove-team") }),
]);

export type RosterButton = z.output<typeof rosterButtonSchema>;

/** The buttons on the list of teams. */
export const teamsButtonSchema = z.object({ intent: z.enum(["check-in", "stop-seeking"]) });
