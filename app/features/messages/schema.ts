import * as z from "zod";
import { CONTACT_POLICIES } from "#db/words/contact-policies";
import { multiLine } from "~/platform/forms/text";
import { MESSAGE_TEXT } from "./rules";

const OUT_OF_DATE = "This form is out of date. Open it again.";

/** The future row's id, which is part of the form, so that submitting the form twice creates one row. */
const madeId = z.uuid({ error: OUT_OF_DATE }).toLowerCase();

const content = multiLine(MESSAGE_TEXT)
  .optional()
  .transform((text) => text ?? "")
  .refine((text) => text !== "", "Write a message first.");

/** A message to send, from the thread or from the contact dialog. */
export const messageSchema = z.object({ id: madeId, message: content });

/**
 * A message from the thread's script, with its author: it may have waited in the browser until another player signed in
 * there. Pages that were opened before this field existed leave it out.
 */
export const threadMessageSchema = messageSchema.extend({ senderId: z.string().optional() });

/** The setting for who may begin a conversation with a player. */
export const contactPolicySchema = z.object({
  policy: z.enum(CONTACT_POLICIES, { error: "Choose who can message you." }),
});
