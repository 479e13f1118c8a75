import { YEAR } from "./durations";

/** The cookie with the browser's zone, in which the next page is rendered. */
export const ZONE_COOKIE = "lineup_zone";
/** The hidden form field with the browser's zone. */
export const ZONE_FIELD = "browserZone";
/** The cookie's lifetime, in seconds: a year. */
export const ZONE_COOKIE_LIFETIME = YEAR / 1000;

/** Longer than any zone's name. */
const MAX_LENGTH = 64;
/**
 * Matches a zone's name, but not an offset such as "+02:00", which `Intl` also accepts but which has no daylight saving
 * time.
 */
const NAME = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Capitalised words, as in all newer names. */
const NEAT = /^[A-Z][a-z]+([/_-][A-Z][a-z]+)*$/;

/**
 * Reads the name of a time zone from a cookie, a form or Cloudflare's headers.
 * @returns the name that `Intl` uses, in its registered capitalisation. A name in capitalised words stays as it came if
 *   `Intl` uses another one: a newer name (Europe/Kyiv, Asia/Kolkata) isn't replaced by an older one. Null if the zone
 *   is unknown
 */
export function readTimeZone(name: unknown): string | null {
  if (typeof name !== "string" || name.length > MAX_LENGTH || !NAME.test(name)) return null;
  const known = resolve(name);
  return known?.toLowerCase() !== name.toLowerCase() && NEAT.test(name) ? known && name : known;
}

/** The names that `Intl` uses, a few hundred, by the zone's name in lower case. Cached, because `Intl` is slow. */
const resolved = new Map<string, string>();

/** Returns the name that `Intl` uses for a zone; null for an unknown zone. */
function resolve(name: string): string | null {
  const key = name.toLowerCase();
  const known = resolved.get(key);
  if (known) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    resolved.set(key, timeZone);
    return timeZone;
  } catch {
    return null;
  }
}

const isSame = (one: string, other: string) => one === other || resolve(one) === resolve(other);

/** The sources of a reader's zone; null if one is unknown. */
export interface KnownZones {
  /** Chosen by the player in the profile. */
  profile: string | null;
  /** Reported by the browser in its cookie or in a form. */
  browser: string | null;
  /** Guessed by Cloudflare from the IP address; wrong behind a VPN. */
  address: string | null;
}

export interface ReaderZone {
  /** The zone of all displayed times. */
  timeZone: string;
  /**
   * The zone of times typed into a form. It is never a guess, because a wrong guess would silently shift them by hours.
   */
  fieldZone: string;
  /** Whether the page should name the zone: it is a guess, or profile and browser disagree. */
  isZoneDoubtful: boolean;
}

/** Chooses a reader's zone: the profile's, or else the browser's, the IP address's, or UTC. */
export function chooseZone({ profile, browser, address }: KnownZones): ReaderZone {
  const stated = profile ?? browser;
  return {
    timeZone: stated ?? address ?? "UTC",
    fieldZone: stated ?? "UTC",
    isZoneDoubtful: stated === null || (browser !== null && !isSame(browser, stated)),
  };
}

/** Names a zone: "Europe/Berlin time", or "UTC". */
export const zoneWords = (timeZone: string): string =>
  timeZone === "UTC" ? timeZone : `${timeZone.replaceAll("_", " ")} time`;

/** Names the zone of a page's times: "your time", or the zone's name if the reader could doubt it. */
export const zoneNote = ({ timeZone, isZoneDoubtful }: Omit<ReaderZone, "fieldZone">): string =>
  isZoneDoubtful ? zoneWords(timeZone) : "your time";
