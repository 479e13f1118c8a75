import * as z from "zod";
import { fits } from "~/platform/forms/text";

/** The form that asks for the account to be deleted: its address, typed out, so that nobody does it by a slip. */
export const deletionSchema = z.object({
  email: z
    .string({ error: "Enter your e-mail address." })
    .trim()
    .toLowerCase()
    .check(fits({ max: 254, name: "e-mail address" })),
});
