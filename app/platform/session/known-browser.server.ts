import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { users } from "#db/schema";
import type { RequestContext } from "../context";
import { createToken, isSameSecret, keyedHash } from "../crypto/crypto.server";
import { DAY } from "../dates/durations";

/*
 * A browser in which a player has signed in has its own rate limits, so that other people's wrong passwords or email
 * requests don't delay it (docs/decisions/0047-known-browsers.md). The cookie grants no access, and names no account:
 * it contains neither addresses nor user ids. An entry is valid only for the address that it was signed for.
 */

const owner = alias(users, "owner");

/** The cookie of a browser in which players have signed in. It stays after signing out. */
const COOKIE = "lineup_known";
/** The time that a browser stays known after its last sign-in, in milliseconds. */
const LIFETIME = 365 * DAY;
/** The most accounts in the cookie; the one with the oldest sign-in is dropped first. */
const MAX_ACCOUNTS = 5;

/** The parts of a request that the cookie needs. */
type CookieContext = Pick<RequestContext, "env" | "cookies" | "now">;

/** A browser's claim that a player has signed in there. Only the database can tell whether it still counts. */
export interface KnownBrowser {
  email: string;
  /** Identifies the browser in the keys of limits; empty if it has no cookie. */
  id: string;
  /** When the player with this address last signed in here, in milliseconds since 1970; 0 if never. */
  signedInAt: number;
}

/** A sign-in as the cookie holds it: its time, and the signature of browser, address and time. */
interface Entry {
  time: string;
  signature: string;
}

/** Records in this browser's cookie that the player with this address has just signed in. */
export function rememberBrowser({ env, cookies, now }: CookieContext, email: string): void {
  const { id = createToken(), entries } = readCookie(cookies.upcoming(COOKIE));
  const time = now.getTime().toString(36);
  const entry = { time, signature: signatureOf(env.SESSION_SECRET[0] as string, id, email, time) };
  const others = entries.filter((other) => !isSigned({ env }, other, id, email));
  writeCookie(cookies, id, [entry, ...others].slice(0, MAX_ACCOUNTS));
}

/**
 * Removes the player with this address from this browser's cookie. For requests that also turn the account's known
 * browsers into strangers. Such a request may have renewed the session as well, and this browser would then still be
 * known.
 */
export function forgetBrowser({ env, cookies }: Omit<CookieContext, "now">, email: string): void {
  const { id, entries } = readCookie(cookies.upcoming(COOKIE));
  if (id === undefined) return;
  const others = entries.filter((other) => !isSigned({ env }, other, id, email));
  writeCookie(cookies, id, others);
}

/**
 * Reads the claim that this browser can make for an address. A missing, changed, forged or old entry claims nothing.
 */
export function readKnownBrowser({ env, cookies, now }: CookieContext, email: string): KnownBrowser {
  const { id = "", entries } = readCookie(cookies.get(COOKIE));
  const entry = entries.find((one) => isSigned({ env }, one, id, email));
  const signedInAt = entry ? Number.parseInt(entry.time, 36) : 0;
  return { email, id, signedInAt: signedInAt > now.getTime() - LIFETIME ? signedInAt : 0 };
}

/**
 * SQL expression for the subject of a limit: `known` if the browser's claim still counts, else `stranger`. The
 * statement is the same for every browser and every address.
 */
export const ifKnown = ({ email, signedInAt }: KnownBrowser, known: string, stranger: string): SQL =>
  sql`CASE WHEN EXISTS (
    SELECT 1 FROM ${users} AS ${owner} WHERE ${owner.email} = ${email}
      AND coalesce(${owner.browsersKnownSince}, ${owner.createdAt}) <= ${signedInAt}
  ) THEN ${known} ELSE ${stranger} END`;

const signatureOf = (secret: string, id: string, email: string, time: string): string =>
  keyedHash(secret, "known browsers", `${id} ${time} ${email}`);

function isSigned({ env }: Pick<CookieContext, "env">, { time, signature }: Entry, id: string, email: string): boolean {
  return env.SESSION_SECRET.some((secret) => isSameSecret(signatureOf(secret, id, email, time), signature));
}

function writeCookie(cookies: CookieContext["cookies"], id: string, entries: readonly Entry[]): void {
  const value = [id, ...entries.flatMap(({ time, signature }) => [time, signature])].join(".");
  cookies.set(COOKIE, value, { maxAge: LIFETIME / 1000 });
}

function readCookie(cookie = ""): { id?: string; entries: Entry[] } {
  const [id = "", ...rest] = cookie.split(".", 1 + 2 * MAX_ACCOUNTS);
  if (!/^[\w-]{27}$/.test(id)) return { entries: [] };
  const entries: Entry[] = [];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    entries.push({ time: rest[index] as string, signature: rest[index + 1] as string });
  }
  return { id, entries };
}
