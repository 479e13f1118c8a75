import * as z from "zod";
import { PRESENCE_POLICIES } from "#db/words/presence-policies";

/** The form in which players choose who can see that they are online. */
export const presencePolicySchema = z.object({
  policy: z.enum(PRESENCE_POLICIES, { error: "Choose who can see when you're online." }),
});
