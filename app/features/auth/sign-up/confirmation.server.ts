import { type Steps, transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import type { RateLimitVerdict } from "~/platform/limits/uses.server";
import { startVerification, type VerificationRequest } from "../codes/issuing.server";
import { checkProof, confirmStatements, findVerificationAccount, type Proof } from "../codes/proof.server";
import type { PendingCode, Verified } from "../codes/redeeming.server";
import { confirmationEmail } from "../emails";
import { CONFIRM_ADDRESS } from "../rules";
import { finishSignIn } from "../sign-in/sign-in.server";

/** The request for the code and link that confirm an account's address; `redirectTo` is where its player was going. */
export const confirmationRequest = (
  user: { id: string; email: string },
  redirectTo: string | null,
): VerificationRequest => ({
  purpose: "confirm-email",
  email: user.email,
  userId: user.id,
  redirectTo,
  path: CONFIRM_ADDRESS,
  compose: confirmationEmail,
});

/**
 * Sends the confirmation's code and link again, to a signed-in player whose address isn't confirmed, or to the
 * recipient of this browser's last code.
 * @param viewer the signed-in player; null if nobody is signed in, or if that player's address is already confirmed
 * @param pendingCode the last code that this browser asked for, from `findPendingCode`. If that code belongs to no
 *   account, neither does the new one, and no email is sent
 */
export function sendConfirmationAgain(
  context: RequestContext,
  viewer: { id: string; email: string } | null,
  pendingCode: PendingCode | null,
): Promise<RateLimitVerdict> {
  const user = viewer ?? { id: pendingCode?.userId ?? "", email: pendingCode?.email ?? "" };
  return startVerification(context, confirmationRequest(user, pendingCode?.redirectTo ?? null));
}

/**
 * Sends the code and link again to a player who can't sign in before their address is confirmed. The caller has checked
 * that the sign-in is theirs.
 * @returns the refusal of the sign-in, and whether the limits on emails have let the email through
 */
export async function askToConfirm(
  context: RequestContext,
  user: { id: string; email: string },
  redirectTo: string | null,
): Promise<{ error: string; isSent: boolean }> {
  const { allowed } = await startVerification(context, confirmationRequest(user, redirectTo));
  const error = "Please confirm your email address first: open the link we sent you.";
  return { error: allowed ? `${error} We've just sent it again.` : error, isSent: allowed };
}

/** The result of looking up a confirmation link. */
type ConfirmationLink =
  | { proof: Proof }
  /** `confirmed` is the account whose address the invalid link was for, if that address is confirmed; else null. */
  | { proof: null; confirmed: Verified | null };

/**
 * Checks the link of a confirmation email, which `confirmAddress` then uses up. An email program may open the link
 * before the player does, so a used link only reports that the address is confirmed already.
 */
export async function findConfirmationLink(context: RequestContext, token: string): Promise<ConfirmationLink> {
  const [proof, account] = await Promise.all([
    checkProof(context, "confirm-email", { token }),
    findVerificationAccount(context, "confirm-email", { token }),
  ]);
  if (proof) return { proof };
  const isConfirmed =
    account?.purpose === "confirm-email" && account.provenEmail === account.email && account.emailConfirmedAt !== null;
  if (!isConfirmed) return { proof: null, confirmed: null };
  return { proof: null, confirmed: { userId: account.id, email: account.email, redirectTo: account.redirectTo } };
}

/**
 * Confirms the address that a code or link has proven.
 * @param link statements that link the Riot account of the sign-up, if there is one to link
 * @returns the results of `link` among those of the transaction
 */
export async function confirmAddress<Link extends Steps | undefined>(
  context: RequestContext,
  proof: Proof,
  link: Link,
) {
  return { kind: "confirmed", answers: await transact(context.db, confirmSteps(context, proof, link)) } as const;
}

/**
 * Confirms the address and signs the player in. The code works only in the browser in which the player signed up,
 * entered the right password or used a linked account.
 * @param link as for `confirmAddress`
 */
export const confirmAndSignIn = <Link extends Steps | undefined>(context: RequestContext, proof: Proof, link: Link) =>
  finishSignIn(context, proof.account, confirmSteps(context, proof, link));

/** `link` comes after `confirm`, because a confirmed player's claim to a Riot account doesn't lapse. */
const confirmSteps = <Link extends Steps | undefined>(
  context: RequestContext,
  { account, spend }: Proof,
  link: Link,
) => ({
  spend,
  confirm: confirmStatements(context, account),
  link,
});
