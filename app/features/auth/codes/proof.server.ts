import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { profiles, users, type VerificationPurpose, verifications } from "#db/schema";
import type { Steps } from "#db/statements";
import type { RiotAccountData } from "~/features/riot/rules";
import { parseRiotAccount } from "~/features/riot/schema";
import { updateListing } from "~/features/tournaments/shared/listing.server";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { type SignInAccount, signInColumns } from "../shared/sign-in-account.server";
import {
  type CodeOrToken,
  checkCode,
  findLink,
  isCode,
  isVerificationOf,
  spend,
  type Verified,
} from "./redeeming.server";

/** The account of a code or link, with all the columns that signing in needs. */
export type ProvenAccount = SignInAccount & Pick<typeof users.$inferSelect, "emailConfirmedAt">;

/** The proof that a player controls a mailbox. */
export interface Proof extends Verified {
  account: ProvenAccount;
  /** Statements that use up the code or link; the transaction that it authorises begins with them (`carryOut`). */
  spend: Steps;
  /**
   * The Riot account from the sign-up, which is linked when the address is confirmed. Null if there is none to link.
   * Only a confirmation links it: a sign-in by code and a reset don't trust a sign-up whose address nobody has
   * confirmed, so they remove what it has set up (`forgetUnproven`).
   */
  toLink: RiotAccountData | null;
}

/**
 * Checks a code or the token of a link, and finds its account. One round trip. `carryOut` then uses it up, together
 * with the effects of the command.
 * @param userId the player that the code or link must belong to, if someone is signed in: see `checkCode`
 * @returns null if the code or link is not valid
 */
export const checkProof = async (...args: Parameters<typeof checkProofOrUse>): Promise<Proof | null> =>
  (await checkProofOrUse(...args)).proof;

/**
 * Checks a code or link as `checkProof` does, for a player who may be sending the form again because the first response
 * was lost.
 * @returns the proof; and `used`, the account if the code or link has worked before and its address is still the
 *   account's. Neither `userId` nor the session restricts `used`
 */
export async function checkProofOrUse(
  context: RequestContext,
  purpose: VerificationPurpose,
  codeOrToken: CodeOrToken,
  userId?: string,
): Promise<{ proof: Proof | null; used: { id: string; redirectTo: string | null } | null }> {
  const [verified, found] = await Promise.all([
    "token" in codeOrToken
      ? findLink(context, purpose, codeOrToken.token, { userId })
      : checkCode(context, purpose, codeOrToken.code, userId),
    findVerificationAccount(context, purpose, codeOrToken),
  ]);
  if (!verified || !found) return { proof: null, used: found?.hasWorked ? found : null };
  const { riotAccountData, ...account } = found;
  const linksRiot = purpose === "confirm-email" && context.env.REQUIRE_CONFIRMED_EMAIL && !account.emailConfirmedAt;
  const proof = {
    ...verified,
    account,
    spend: spend(context, purpose, codeOrToken, userId),
    toLink: linksRiot ? parseRiotAccount(riotAccountData) : null,
  };
  return { proof, used: null };
}

/** Finds the account that a code or link was created for, even if the code or link has expired or been used. */
export function findVerificationAccount(
  context: RequestContext,
  purpose: VerificationPurpose,
  codeOrToken: CodeOrToken,
) {
  const hasWorked = and(
    isNotNull(verifications.usedAt),
    eq(verifications.purpose, purpose),
    gt(verifications.expiresAt, context.now),
    eq(verifications.email, users.email),
    "code" in codeOrToken ? isCode(context, purpose, codeOrToken.code) : undefined,
  );
  return context.db
    .select({
      ...signInColumns(context),
      emailConfirmedAt: users.emailConfirmedAt,
      riotAccountData: users.riotAccountData,
      /** The address that the code was sent to. */
      provenEmail: verifications.email,
      redirectTo: verifications.redirectTo,
      purpose: verifications.purpose,
      /** Whether this code or link has worked before, and its address is still the account's. */
      hasWorked: sql<boolean>`${hasWorked}`.mapWith(Boolean),
    })
    .from(verifications)
    .innerJoin(users, eq(users.id, verifications.userId))
    .where(isVerificationOf(context, purpose, codeOrToken))
    .get();
}

/** Builds the statements that mark an account's address as confirmed, after a code or link sent there was used. */
export function confirmStatements({ db, now }: RequestContext, account: ProvenAccount): Steps {
  const ofAccount = eq(users.id, account.id);
  // The email has arrived, so an earlier failure no longer counts.
  if (account.emailConfirmedAt) return { arrived: db.update(users).set({ emailFailedAt: null }).where(ofAccount) };
  return {
    confirm: db.update(users).set({ emailConfirmedAt: now, emailFailedAt: null }).where(ofAccount),
    // A confirmed player's claim to a Riot ID no longer lapses.
    claim: db.update(profiles).set({ riotClaimLapsesAt: null }).where(eq(profiles.userId, account.id)),
    listing: updateListing(db, account.id, true),
    audit: recordAudit(db, { userId: account.id, actor: "player", action: "email-confirmed" }, now),
  };
}
