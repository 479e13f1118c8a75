import type { RequestContext } from "../context";
import { hashToken, unsign } from "../crypto/crypto.server";
import type { SessionClaim } from "./viewer";

/** The cookie that holds a session's signed claim. */
export const SESSION_COOKIE = "lineup_session";

/**
 * Reads the session that the cookie claims, if our signature is valid. Costs no database round trip, so the Worker does
 * it before Remix runs, and loaders can query the player's data together with the session check.
 */
function readSessionClaim(cookie: string | undefined, secrets: readonly string[]): SessionClaim | null {
  if (!cookie) return null;
  const value = unsign(cookie, secrets);
  const [userId, token] = value?.split(".") ?? [];
  return userId && token ? { userId, sessionId: hashToken(token), cookie } : null;
}

export const readSessionCookie = ({ cookies, env }: Pick<RequestContext, "cookies" | "env">): SessionClaim | null =>
  readSessionClaim(cookies.get(SESSION_COOKIE), env.SESSION_SECRET);

/** Reads the claim of an opaque bearer token (`/riot-api/verify-account`), which is the session cookie's value. */
export const readBearerClaim = (request: Request, secrets: readonly string[]): SessionClaim | null =>
  readSessionClaim(request.headers.get("Authorization")?.match(/^Bearer (\S+)$/i)?.[1], secrets);
