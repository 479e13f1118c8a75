/** Where a browser's zone is kept, so that the next page is rendered in it. */
export const ZONE_COOKIE = "lineup_zone";
/** The hidden field in which forms of visitors send their browser's zone. */
export const ZONE_FIELD = "browserZone";
/** How long the cookie is kept, in seconds: a year. */
export const ZONE_KEPT = 365 * 24 * 60 * 60;

/** No name of a zone is this long. */
const MAX_LENGTH = 64;
/** `Intl` also takes offsets such as "+02:00", which know nothing of daylight saving time. */
const NAME = /^[A-Za-z][\w+-]*(\/[\w+-]+)*$/;

/** Words that begin with a capital, as in all names that have come lately. */
const NEAT = /^[A-Z][a-z]+([/_-][A-Z][a-z]+)*$/;

/**
 * Reads the name of a time zone from a cookie, a form or the edge.
 * @returns the name, one of few hundred: in the case in which it is registered, and as it came where `Intl` goes on calling the
 *   zone by an older one (Europe/Kyiv, Asia/Kolkata); null for anything that is no zone
 */
export function readTimeZone(name: unknown): string | null {
  if (typeof name !== "string" || name.length > MAX_LENGTH || !NAME.test(name)) return null;
  const known = resolve(name);
  return known?.toLowerCase() !== name.toLowerCase() && NEAT.test(name) ? known && name : known;
}

/** What `Intl` calls a zone; null for one it doesn't know. */
function resolve(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

const isSame = (one: string, other: string) => one === other || resolve(one) === resolve(other);

/** Where a reader's zone may be known from; null where it isn't. */
export interface KnownZones {
  /** The player chose it in the profile. */
  profile: string | null;
  /** The browser said it, in its cookie or in a form. */
  browser: string | null;
  /** The edge guessed it from the address, which a VPN or a journey makes wrong. */
  address: string | null;
}

export interface ReaderZone {
  /** The zone of everything the reader reads. */
  timeZone: string;
  /** The zone of what they type into a form: a guess would silently move it by hours. */
  fieldZone: string;
  /** Whether the page should name the zone: it is a guess, or the profile and the browser disagree. */
  isZoneDoubtful: boolean;
}

/** Chooses a reader's zone: the profile's, else the browser's, else the address's, else UTC. */
export function chooseZone({ profile, browser, address }: KnownZones): ReaderZone {
  const said = profile ?? browser;
  return {
    timeZone: said ?? address ?? "UTC",
    fieldZone: said ?? "UTC",
    isZoneDoubtful: said === null || (browser !== null && !isSame(browser, said)),
  };
}

/** "Europe/Berlin time", or "UTC". */
export const zoneWords = (timeZone: string): string =>
  timeZone === "UTC" ? timeZone : `${timeZone.replaceAll("_", " ")} time`;

/** Whose clock a page's times are by: "your time", or the zone's name where the reader could doubt it. */
export const zoneNote = ({ timeZone, isZoneDoubtful }: Omit<ReaderZone, "fieldZone">): string =>
  isZoneDoubtful ? zoneWords(timeZone) : "your time";
