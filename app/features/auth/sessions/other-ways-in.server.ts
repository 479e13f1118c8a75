import { eq } from "drizzle-orm";
import { identities, recoveryCodes, totpFactors } from "#db/schema";
import type { RequestContext } from "~/platform/context";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { endingSessions } from "~/platform/session/session.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { voidVerifications } from "../codes/verification.server";
import { thisDevice } from "../two-factor/trusted-devices.server";

/**
 * The statements that take off an account what someone may have set up who signed up with an address that is not theirs:
 * its owner proves it for the first time, and nothing of before shall lead in.
 */
export const forgetUnproven = ({ db }: Pick<RequestContext, "db">, userId: string) => ({
  identities: db.delete(identities).where(eq(identities.userId, userId)),
  factor: db.delete(totpFactors).where(eq(totpFactors.userId, userId)),
  recoveryCodes: db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
});

/**
 * The statements that shut everyone out of an account who got in with what is being replaced: sessions, trusted browsers,
 * sign-ins half done, codes and links.
 * @param spared the session that stays, with the trust in this browser; left out, nothing does
 * @returns statements of which `ended` answers what `closeEnded` wants
 */
export const endOtherWaysIn = (context: RequestContext, userId: string, spared?: Pick<SessionClaim, "sessionId">) => ({
  ...endingSessions(context.db, userId, spared && { sessionId: spared.sessionId, deviceId: thisDevice(context) }),
  codes: voidVerifications(context, userId),
});

/** Closes the sockets of the sessions that `endOtherWaysIn` has ended. */
export function closeEnded(context: RequestContext, userId: string, ended: readonly { id: string }[]): void {
  closeSessions(
    context,
    userId,
    ended.map(({ id }) => id),
  );
}
