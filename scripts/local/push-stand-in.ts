import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { type LocalServer, serveFetch } from "./http";
import { type BrowserKeys, decryptPush, readVapid } from "./push-encryption";
import { createVapidKeys, type VapidKeys } from "./vapid-keys";

/** A push that has arrived and been decrypted. */
export interface ReceivedPush {
  endpoint: string;
  /** As `public/sw.js` reads it. */
  payload: {
    tag: string;
    title: string;
    body?: string;
    url: string;
    isRepeat: boolean;
    at: number;
    unread: number;
    open: string[] | null;
  };
  topic: string | null;
  urgency: string | null;
  ttl: number;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
}

/** A subscription as `PushSubscription.toJSON()` returns it. */
export interface LocalSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

export interface PushStandIn extends LocalServer {
  /** The keys that the site signs with. */
  vapid: VapidKeys;
  /** The Worker's settings. */
  bindings: Record<string, string>;
  /** Makes a subscription, as a browser's `pushManager.subscribe()` does. */
  subscribe(): LocalSubscription;
  /** Ends a subscription: its pushes get 410, or 404. */
  end(endpoint: string, status?: 404 | 410): void;
  /** Makes the next pushes to a subscription fail with a status. */
  failNext(endpoint: string, times: number, status?: number): void;
  /** The accepted pushes, in order. */
  received: ReceivedPush[];
  /** The reasons for refusing pushes, in order. */
  refused: string[];
}

/**
 * A local stand-in for the push services of browsers, over real HTTP (RFC 8030). Checks the site's signature and,
 * unlike real services, decrypts the pushes. Its page shows the pushes, and a line for a browser's console that makes
 * the browser subscribe here.
 */
export async function startPushStandIn(): Promise<PushStandIn> {
  const vapid = createVapidKeys();
  const browsers = new Map<string, { keys: BrowserKeys; ended?: number; failures: number[] }>();

  const server = await serveFetch(async (request) => {
    const { pathname, origin } = new URL(request.url);
    if (request.method === "GET" && pathname === "/") return showPage();
    const endpoint = origin + pathname;
    const browser = browsers.get(endpoint);
    const refuse = (status: number, reason: string) => {
      standIn.refused.push(reason);
      return new Response(reason, { status });
    };
    if (request.method !== "POST" || !browser) return refuse(404, "No such subscription");
    const site = readVapid(request.headers.get("Authorization"));
    if (!site) return refuse(401, "The token is not signed");
    const { aud, exp, sub } = site.claims;
    const lifetime = exp - Date.now() / 1000;
    if (site.key !== vapid.publicKey) return refuse(403, "Another site's key");
    // The library signs only for https URLs, which all real services have.
    if (aud !== origin.replace("http:", "https:")) return refuse(403, `Signed for ${aud}`);
    if (!(lifetime > 0 && lifetime <= 24 * 60 * 60)) return refuse(403, "The token's time is wrong");
    if (!/^(mailto:.+@|https:\/\/)/.test(sub)) return refuse(403, "Nobody to write to");
    if (browser.ended) return refuse(browser.ended, "The subscription has ended");
    const failure = browser.failures.shift();
    if (failure) return refuse(failure, "Told to fail");
    const ttl = Number(request.headers.get("TTL") ?? Number.NaN);
    if (!Number.isInteger(ttl)) return refuse(400, "TTL is missing");
    if (request.headers.get("Content-Encoding") !== "aes128gcm") return refuse(415, "Not encrypted as RFC 8291 says");
    const body = Buffer.from(await request.arrayBuffer());
    if (body.length > 4096) return refuse(413, "Too large");
    standIn.received.push({
      endpoint,
      payload: JSON.parse(decryptPush(body, browser.keys)),
      topic: request.headers.get("Topic"),
      urgency: request.headers.get("Urgency"),
      ttl,
      at: Date.now(),
    });
    return new Response(null, { status: 201 });
  });

  /** Shows the pushes that have arrived, the newest first. */
  function showPage(): Response {
    const { endpoint, keys } = standIn.subscribe();
    const line = `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify({ endpoint, keys })}), unsubscribe: async () => true })`;
    const pushes = standIn.received.map(({ payload }) => JSON.stringify(payload)).reverse();
    const text = [
      "Pushes, the newest first. DevTools delivers one to the service worker: Application, Service workers, Push.",
      "",
      ...(pushes.length > 0 ? pushes : ["None so far."]),
      "",
      "To subscribe here, run this in the console of Lineup's page, and then press Turn on push:",
      "",
      line,
    ].join("\n");
    return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
  }

  const standIn: PushStandIn = {
    ...server,
    vapid,
    bindings: {
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      PUSH_SERVICE_URL: server.url,
    },
    received: [],
    refused: [],
    subscribe() {
      const pair = createECDH("prime256v1");
      const p256dh = pair.generateKeys();
      const auth = randomBytes(16);
      const endpoint = `${server.url}/push/${randomUUID()}`;
      browsers.set(endpoint, { keys: { p256dh, privateKey: pair.getPrivateKey(), auth }, failures: [] });
      return { endpoint, keys: { p256dh: p256dh.toString("base64url"), auth: auth.toString("base64url") } };
    },
    end(endpoint, status = 410) {
      const browser = browsers.get(endpoint);
      if (browser) browser.ended = status;
    },
    failNext(endpoint, times, status = 503) {
      browsers.get(endpoint)?.failures.push(...Array<number>(times).fill(status));
    },
  };
  return standIn;
}
