import type { SQL } from "drizzle-orm";
import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto/crypto.server";
import { clearAttempts } from "~/platform/limits/attempts.server";
import { ifKnown, type KnownBrowser, readKnownBrowser } from "~/platform/session/known-browser.server";

/**
 * Returns the series of wrong passwords that a browser's attempts at an account belong to: its own if the browser is
 * known, otherwise the one that all strangers share.
 */
export const signInSeries = (browser: KnownBrowser): SQL =>
  ifKnown(browser, ownSeries(browser), hashToken(browser.email));

/**
 * Builds the statements that end both series, the one that strangers share and this browser's own, after a new password
 * or a sign-in with an emailed code or link.
 */
export const forgiveSignIns = (context: RequestContext, email: string) => ({
  strangers: clearAttempts(context, "signIn", hashToken(email)),
  own: clearAttempts(context, "signIn", ownSeries(readKnownBrowser(context, email))),
});

const ownSeries = ({ email, id }: KnownBrowser) => `${hashToken(email)}:${id}`;
