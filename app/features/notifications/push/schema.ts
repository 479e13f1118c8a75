import * as z from "zod";
import { MAX_ENDPOINT } from "./rules";

/** A key in base64url, with or without padding. Browsers write none. */
const key = (characters: number) => z.string().regex(new RegExp(`^[\\w-]{${characters}}={0,2}$`));

/** A browser's subscription, as sent by its script. */
export const subscriptionSchema = z.object({
  endpoint: z.url().max(MAX_ENDPOINT),
  /** An uncompressed point of P-256: 65 bytes. */
  p256dh: key(87),
  /** 16 bytes. */
  auth: key(22),
  /** The browser's previous subscription, which this one replaces. */
  replaces: z.url().max(MAX_ENDPOINT).optional(),
});
