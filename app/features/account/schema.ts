import * as z from "zod";
import { fits } from "~/platform/forms/text";

/**
 * The form for deleting an account. The player types the account's email address, so that nobody deletes it by
 * accident.
 */
export const deletionSchema = z.object({
  email: z
    .string({ error: "Enter your email address." })
    .trim()
    .toLowerCase()
    .check(fits({ max: 254, name: "email address" })),
});
