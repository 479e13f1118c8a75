import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import type { RateLimitVerdict } from "~/platform/limits/rate-limit.server";
import { confirmStatements, findShownAccount, type Proof, takeProof } from "../codes/proof.server";
import { type Asked, startVerification, type VerificationRequest } from "../codes/verification.server";
import { confirmationEmail } from "../emails";
import { CONFIRM_ADDRESS } from "../rules";
import { finishSignIn, type SignInOutcome } from "../sign-in/sign-in.server";

/** The code and link that confirm the address of an account; `redirectTo` is where its player was going. */
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
 * Sends code and link once more, to the signed-in player, or to whom this browser's last one went.
 * @param asked as `findAsked` found it; one that proves nothing is asked for again in the same way, and no e-mail leaves
 */
export function sendConfirmationAgain(
  context: RequestContext,
  viewer: { id: string; email: string } | null,
  asked: Asked | null,
): Promise<RateLimitVerdict> {
  const user = viewer ?? { id: asked?.userId ?? "", email: asked?.email ?? "" };
  return startVerification(context, confirmationRequest(user, asked?.redirectTo ?? null));
}

/** What opening a confirmation link has shown. */
type OpenedLink = { proof: Proof } | { proof: null; isConfirmedAlready: boolean };

/**
 * Uses up the link of a confirmation e-mail. Whoever opens it again is told that all is done, and gets nothing: their
 * mail program may have opened it before them.
 */
export async function openConfirmationLink(context: RequestContext, token: string): Promise<OpenedLink> {
  const [proof, account] = await Promise.all([
    takeProof(context, "confirm-email", { token }),
    findShownAccount(context, "confirm-email", { token }),
  ]);
  if (proof) return { proof };
  const isTheirs = account?.purpose === "confirm-email" && account.provenEmail === account.email;
  return { proof: null, isConfirmedAlready: isTheirs && account.emailConfirmedAt !== null };
}

/** Confirms the address that a code or link has proven. */
export async function confirmAddress(context: RequestContext, { account }: Proof): Promise<void> {
  await transact(context.db, confirmStatements(context, account));
}

/**
 * The same, and signs the player in: they typed the code into the very browser that had signed up, or had given the right
 * password.
 */
export const confirmAndSignIn = (context: RequestContext, { account }: Proof): Promise<SignInOutcome> =>
  finishSignIn(context, account, confirmStatements(context, account));
