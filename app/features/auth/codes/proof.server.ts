import { eq } from "drizzle-orm";
import { profiles, users, type VerificationPurpose, verifications } from "#db/schema";
import type { Steps } from "#db/statements";
import type { RiotAccountData } from "~/features/riot/rules";
import { parseRiotAccount } from "~/features/riot/schema";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { type SignInAccount, signInColumns } from "../shared/sign-in-account.server";
import { isShown, type Shown, takeCode, takeLink, type Verified } from "./verification.server";

/** The account that a code or link belongs to, with all that signing in asks of it. */
export type ProvenAccount = SignInAccount & Pick<typeof users.$inferSelect, "email" | "emailConfirmedAt">;

/** Who has shown that a mailbox is theirs. */
export interface Proof extends Verified {
  account: ProvenAccount;
  /**
   * The Riot account of the sign-up, where it waits for the address to be confirmed and this is the first time; the route
   * links it.
   */
  toLink: RiotAccountData | null;
}

/**
 * Takes a code or the token of a link, and finds its account. One round trip.
 * @param userId whose it must be, where someone is signed in: see `takeCode`
 * @returns null when it is no good
 */
export async function takeProof(
  context: RequestContext,
  purpose: VerificationPurpose,
  shown: Shown,
  userId?: string,
): Promise<Proof | null> {
  const [verified, found] = await Promise.all([
    "token" in shown ? takeLink(context, purpose, shown.token, userId) : takeCode(context, purpose, shown.code, userId),
    findShownAccount(context, purpose, shown),
  ]);
  if (!verified || !found) return null;
  const { riotAccountData, ...account } = found;
  const waits = context.env.REQUIRE_CONFIRMED_EMAIL && !account.emailConfirmedAt;
  return { ...verified, account, toLink: waits ? parseRiotAccount(riotAccountData) : null };
}

/** @returns the account that a code or link was made for, however old or used it is */
export function findShownAccount(context: RequestContext, purpose: VerificationPurpose, shown: Shown) {
  return context.db
    .select({
      ...signInColumns(context),
      email: users.email,
      emailConfirmedAt: users.emailConfirmedAt,
      riotAccountData: users.riotAccountData,
      /** The address that was written to. */
      provenEmail: verifications.email,
      purpose: verifications.purpose,
    })
    .from(verifications)
    .innerJoin(users, eq(users.id, verifications.userId))
    .where(isShown(context, purpose, shown))
    .get();
}

/** The statements by which an account's address counts as confirmed: a code or link sent there has come back. */
export function confirmStatements({ db, now }: RequestContext, account: ProvenAccount): Steps {
  const ofAccount = eq(users.id, account.id);
  // What came back has arrived.
  if (account.emailConfirmedAt) return { arrived: db.update(users).set({ emailFailedAt: null }).where(ofAccount) };
  return {
    confirm: db.update(users).set({ emailConfirmedAt: now, emailFailedAt: null }).where(ofAccount),
    // The claim is no longer at risk of lapsing.
    claim: db.update(profiles).set({ riotClaimLapsesAt: null }).where(eq(profiles.userId, account.id)),
    audit: recordAudit(db, { userId: account.id, actor: "player", action: "email-confirmed" }, now),
  };
}
