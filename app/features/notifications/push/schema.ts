import * as z from "zod";
import { MAX_ENDPOINT } from "./rules";

/** A key in base64url, without padding as browsers write it, or with it. */
const key = (characters: number) => z.string().regex(new RegExp(`^[\\w-]{${characters}}={0,2}$`));

/** A browser's subscription as its script sends it. */
export const subscriptionSchema = z.object({
  endpoint: z.url().max(MAX_ENDPOINT),
  /** An uncompressed point of P-256: 65 bytes. */
  p256dh: key(87),
  /** 16 bytes. */
  auth: key(22),
  /** The subscription that the browser has replaced by this one. */
  replaces: z.url().max(MAX_ENDPOINT).optional(),
});
