import * as z from "zod";

/** The form that asks for the account to be deleted: its address, typed out, so that nobody does it by a slip. */
export const deletionSchema = z.object({
  email: z
    .string({ error: "Enter your e-mail address." })
    .trim()
    .toLowerCase()
    .max(254, "This e-mail address is too long."),
});
