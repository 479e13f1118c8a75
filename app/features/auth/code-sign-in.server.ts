import type { RequestContext } from "~/platform/context";
import { hashToken } from "~/platform/crypto.server";
import { forgiveTries, type RateLimitVerdict } from "~/platform/rate-limit.server";
import { signInEmail } from "./emails";
import { confirmStatements, type Proof } from "./proof.server";
import { finishSignIn, type SignInOutcome } from "./sign-in.server";
import { startVerification } from "./verification.server";

/** Sends a code and a link that sign in, if the address has an account. */
export const sendSignInCode = (
  context: RequestContext,
  email: string,
  redirectTo: string | null,
): Promise<RateLimitVerdict> =>
  startVerification(context, { purpose: "sign-in", email, redirectTo, path: "/auth/code", compose: signInEmail });

/** Signs in who has shown such a code or link, which proves their address as well. */
export function signInByProof(context: RequestContext, { account }: Proof): Promise<SignInOutcome> {
  return finishSignIn(context, account, [
    ...confirmStatements(context, account),
    forgiveTries(context, "signIn", hashToken(account.email)),
  ]);
}
