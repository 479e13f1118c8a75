import { Buffer } from "node:buffer";
import { buildPushPayload } from "@block65/webcrypto-web-push";
import type { Env } from "~/platform/env";
import { isPushEndpoint } from "./rules";

/** A browser's subscription, as returned by `PushSubscription.toJSON()`. */
export interface Device {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** The content of a push, shown by `public/sw.js`. */
export interface Push {
  /** See `tagOf`. */
  tag: string;
  title: string;
  body?: string;
  /** The address that it opens. */
  url: string;
  /** Whether it silently replaces the previous one. */
  isRepeat: boolean;
  /** When `open` was read, in milliseconds since 1970: pushes may arrive out of order. */
  at: number;
  /** The number on the app's icon: see `unreadTotal`. */
  unread: number;
  /**
   * The tags of all unread news. An older push on the screen with any other tag was read elsewhere, so the service
   * worker closes it. Null if there are too many to list.
   */
  open: readonly string[] | null;
}

/** The outcome of a push: `gone` if the subscription has ended, `refused` if sending it again would change nothing. */
export type PushOutcome = "sent" | "gone" | "refused" | "failed";

/**
 * The time that a push service keeps a push for an offline device, in seconds: four hours, in keeping with the pace of
 * the game.
 */
const TTL = 4 * 60 * 60;
const TIMEOUT = 10_000;
/** The statuses with which push services reject the push itself. Other failures may be temporary. */
const REFUSED = new Set([400, 413]);

/** Whether pushes can be sent at all. */
export const canPush = (env: Pick<Env, "VAPID_PUBLIC_KEY">): boolean => env.VAPID_PUBLIC_KEY !== undefined;

/** Whether a browser's key is a point on P-256. For any other, no push can be encrypted. */
export async function isPublicKey(p256dh: string): Promise<boolean> {
  const bytes = Buffer.from(p256dh, "base64url");
  try {
    await crypto.subtle.importKey("raw", bytes, { name: "ECDH", namedCurve: "P-256" }, false, []);
    return true;
  } catch {
    return false;
  }
}

/** Sends one push to one device: encrypted for it (RFC 8291) and signed by this site (RFC 8292). Never throws. */
export async function sendPush(
  env: Env,
  { endpoint, p256dh, auth }: Device,
  push: Push,
): Promise<{ outcome: PushOutcome; reason: string }> {
  if (!isPushEndpoint(endpoint, env.PUSH_SERVICE_URL)) return { outcome: "gone", reason: "not a push service" };
  try {
    const { headers, body } = await buildPushPayload(
      { data: JSON.stringify(push), options: { ttl: TTL, urgency: "high", topic: push.tag } },
      // The library signs only https addresses, but the stand-in uses http.
      { endpoint: endpoint.replace(/^http:/, "https:"), expirationTime: null, keys: { p256dh, auth } },
      {
        subject: env.CONTACT_EMAIL ? `mailto:${env.CONTACT_EMAIL}` : (env.APP_ORIGIN ?? "https://localhost"),
        publicKey: env.VAPID_PUBLIC_KEY as string,
        privateKey: env.VAPID_PRIVATE_KEY as string,
      },
    );
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(endpoint, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return { outcome: judge(response), reason: `status ${response.status}` };
  } catch (error) {
    return { outcome: "failed", reason: error instanceof Error ? error.name : "?" };
  }
}

function judge({ ok, status }: Response): PushOutcome {
  if (ok) return "sent";
  if (status === 404 || status === 410) return "gone";
  return REFUSED.has(status) ? "refused" : "failed";
}
