import * as z from "zod";
import { ROLES } from "~/game/roles";
import { optionalLine } from "~/platform/forms/text";
import { MAX_NOTE_LENGTH } from "./rules";

const OUT_OF_DATE = "This form is out of date. Open it again.";

/** A request to join. The form contains the request's id, so that submitting it twice creates one request. */
export const joinSchema = z.object({
  id: z.uuid({ error: OUT_OF_DATE }).toLowerCase(),
  role: z
    .enum(ROLES, { error: "Choose a role from the list." })
    .optional()
    .transform((role) => role ?? null),
  note: optionalLine({ max: MAX_NOTE_LENGTH, name: "note" }),
});

const request = z.uuid().toLowerCase();

/**
 * The buttons of a team on its post's page. `request`: the id of the request that is answered, or of the removed
 * member's request.
 */
export const teamButtonSchema = z.discriminatedUnion("intent", [
  /** `anyway`: despite a block between the player and a member of the team. */
  z.object({ intent: z.literal("accept"), request, anyway: z.literal("on").optional() }),
  z.object({ intent: z.literal("decline"), request }),
  z.object({ intent: z.literal("remove"), request }),
  z.object({ intent: z.literal("withdraw") }),
  z.object({ intent: z.literal("leave") }),
]);

export type TeamButton = z.output<typeof teamButtonSchema>;
