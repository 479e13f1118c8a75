import type { SQL } from "drizzle-orm";
import { and, desc, eq, gt } from "drizzle-orm";
import type { Database } from "#db/client";
import { trustedDevices } from "#db/schema";
import { insertIf } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { createToken, hashToken } from "~/platform/crypto/crypto.server";
import { DAY } from "~/platform/dates/durations";

/** The cookie of a browser that may skip the second factor. */
const COOKIE = "lineup_device";
/** The time that a device stays trusted, in milliseconds. */
const LIFETIME = 30 * DAY;
/**
 * Maximum number of devices in the list, more than a player is likely to have. Any others appear once some of these are
 * forgotten.
 */
const MAX_LISTED = 50;

/**
 * Prepares to trust this browser. The caller runs `statement` in the transaction that opens the session, and calls
 * `start` once that has succeeded.
 */
export function rememberDevice({ db, cookies, now, userAgent }: RequestContext, userId: string, condition: SQL) {
  const token = createToken();
  const expiresAt = new Date(now.getTime() + LIFETIME);
  const row = { id: hashToken(token), userId, userAgent, createdAt: now, expiresAt };
  return {
    statement: insertIf(db, trustedDevices, row, condition),
    start: () => cookies.set(COOKIE, token, { maxAge: LIFETIME / 1000 }),
  };
}

/** Lists the browsers in which a player may skip the second factor, newest first. */
export function listTrustedDevices(db: Database, userId: string, now: Date) {
  return (
    db
      .select({ id: trustedDevices.id, userAgent: trustedDevices.userAgent, createdAt: trustedDevices.createdAt })
      .from(trustedDevices)
      .where(and(eq(trustedDevices.userId, userId), gt(trustedDevices.expiresAt, now)))
      // All have the same lifetime: the one that expires last is the newest.
      .orderBy(desc(trustedDevices.expiresAt))
      .limit(MAX_LISTED)
  );
}

/** Returns this browser's id among the trusted devices; if the browser isn't trusted, an id that no device has. */
export const thisDevice = ({ cookies }: Pick<RequestContext, "cookies">): string =>
  hashToken(cookies.get(COOKIE) ?? "");

/** Removes the cookie of this trusted browser; the caller has deleted the row. */
export const forgetThisDevice = ({ cookies }: Pick<RequestContext, "cookies">): void => cookies.delete(COOKIE);

/** Forgets a player's trusted device; has no effect if it is already forgotten. */
export async function forgetDevice(context: RequestContext, userId: string, id: string): Promise<void> {
  await context.db.delete(trustedDevices).where(and(eq(trustedDevices.id, id), eq(trustedDevices.userId, userId)));
  if (id === thisDevice(context)) forgetThisDevice(context);
}
