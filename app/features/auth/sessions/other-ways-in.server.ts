import { eq, sql } from "drizzle-orm";
import { hasSecondFactor } from "#db/accounts";
import { calendarFeeds, IDENTITY_PROVIDERS, identities, profiles, recoveryCodes, totpFactors } from "#db/schema";
import { unverifyDiscordTag } from "~/features/identities/shared/discord-tag.server";
import { endClaims } from "~/features/riot/shared/end-claims.server";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { closeSessions } from "~/platform/rooms/rooms.server";
import { deleteSessions } from "~/platform/session/store.server";
import type { SessionClaim } from "~/platform/session/viewer";
import { voidVerifications } from "../codes/redeeming.server";
import { thisDevice } from "../two-factor/trusted-devices.server";

/**
 * Builds the statements that remove the second factor, linked accounts and calendar feed that a previous user of an
 * unconfirmed account may have set up. They run when the address's owner confirms it for the first time. The claim to a
 * Riot account and the verified Discord tag go with the linked accounts: they may belong to the previous user, who
 * couldn't use them in another account otherwise. The account's log names the second factor and the linked accounts, as
 * if the player had removed them.
 */
export const forgetUnproven = ({ db, now }: Pick<RequestContext, "db" | "now">, userId: string) => ({
  factorAudit: recordAuditIf(
    db,
    hasSecondFactor(userId),
    { userId, actor: "player", action: "two-factor-disabled" },
    now,
  ),
  identityAudits: IDENTITY_PROVIDERS.map((provider) =>
    recordAuditIf(
      db,
      sql`EXISTS (SELECT 1 FROM ${identities} WHERE ${identities.userId} = ${userId}
        AND ${identities.provider} = ${provider})`,
      { userId, actor: "player", action: "identity-unlinked", details: { provider } },
      now,
    ),
  ),
  identities: db.delete(identities).where(eq(identities.userId, userId)),
  riot: endClaims(db, eq(profiles.userId, userId), now),
  discord: unverifyDiscordTag(db, userId),
  factor: db.delete(totpFactors).where(eq(totpFactors.userId, userId)),
  recoveryCodes: db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  calendar: db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId)),
});

/**
 * Builds the statements that end all access gained with the replaced credentials: sessions, trusted browsers,
 * half-finished sign-ins, codes and links. No browser counts as known any more.
 * @param spared the session to keep; this browser then stays trusted, too. None by default. The caller must also call
 *   `rememberBrowser`, so that this browser is known again
 * @returns statements by name; the result of `ended` is for `closeEnded`
 */
export const endOtherWaysIn = (context: RequestContext, userId: string, spared?: Pick<SessionClaim, "sessionId">) => ({
  ...deleteSessions(context, userId, spared && { sessionId: spared.sessionId, deviceId: thisDevice(context) }),
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
