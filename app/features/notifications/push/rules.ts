import type { LockScreen } from "#db/words/lock-screens";
import { offsetMinutes } from "~/platform/dates/dates";
import { HOUR, MINUTE } from "~/platform/dates/durations";
import { readTimeZone } from "~/platform/dates/time-zone";
import { firstCharacters } from "~/platform/forms/text-length";
import type { Words } from "../kind";

/** The push services of browsers: Chrome and its relatives, Firefox, Safari, Edge. A leading dot allows subdomains. */
const PUSH_SERVICES = [
  "fcm.googleapis.com",
  ".push.services.mozilla.com",
  ".push.apple.com",
  ".notify.windows.com",
] as const;

/** Maximum length of an endpoint. The endpoints of all push services are shorter. */
export const MAX_ENDPOINT = 1_000;

/**
 * Whether a browser's subscription is at a known push service. We send requests there, so players must not be able to
 * choose the host.
 * @param standIn the origin of an additional service, from the settings
 */
export function isPushEndpoint(endpoint: string, standIn: string | undefined): boolean {
  if (endpoint.length > MAX_ENDPOINT || !URL.canParse(endpoint)) return false;
  const { origin, protocol, hostname, port, username, password } = new URL(endpoint);
  if (username || password) return false;
  if (standIn && origin === new URL(standIn).origin) return true;
  const isListed = PUSH_SERVICES.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));
  return protocol === "https:" && port === "" && isListed;
}

/** The hours of a player's day without pushes, possibly across midnight. */
interface QuietHours {
  from: number;
  until: number;
}

/**
 * Returns the end of the current quiet hours, in milliseconds since 1970; null outside of them.
 * @param timeZone the player's zone, whose clocks may change during the quiet hours
 */
export function quietUntil(now: Date, { from, until }: QuietHours, timeZone: string): number | null {
  const local = new Date(now.getTime() + offsetMinutes(timeZone, now) * MINUTE);
  const hour = local.getUTCHours();
  const isQuiet = from < until ? hour >= from && hour < until : hour >= from || hour < until;
  if (!isQuiet || from === until) return null;
  const hours = (until - hour + 24) % 24;
  const end = Math.floor(local.getTime() / HOUR) * HOUR + hours * HOUR;
  // The zone's offset at the end counts: the clocks may change during the night.
  const guess = end - offsetMinutes(timeZone, now) * MINUTE;
  const offset = offsetMinutes(timeZone, new Date(guess));
  const exact = end - offset * MINUTE;
  // If the clocks skip the end, the quiet hours end at the moment when the clocks are put forward.
  return offsetMinutes(timeZone, new Date(exact)) === offset ? exact : guess;
}

/** Returns the zone of a player's quiet hours. @param stored their profile's, or else their browser's, if known */
export const quietZone = (stored: string | null | undefined): string => readTimeZone(stored) ?? "UTC";

/** The time after posting in which push is offered, in milliseconds. */
export const OFFERED_FOR = 10 * MINUTE;

/** Maximum number of a player's devices; new ones replace the oldest. */
export const MAX_DEVICES = 10;

export const DEFAULT_LOCK_SCREEN: LockScreen = "text";

/** Maximum length of a push's title and text, in characters: the whole push is limited to 3993 bytes. */
const MAX_TITLE = 160;
const MAX_BODY = 240;

/** Returns a push's title and text, according to the player's setting for locked screens. */
export function wordPush(
  { sentence, detail }: Pick<Words, "sentence" | "detail">,
  lockScreen: LockScreen,
): { title: string; body?: string } {
  if (lockScreen === "nothing") return { title: "You have news" };
  const title = firstCharacters(sentence, MAX_TITLE);
  return lockScreen === "text" && detail ? { title, body: firstCharacters(detail, MAX_BODY) } : { title };
}
