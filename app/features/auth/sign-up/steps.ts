import { authAddress, redirectToOf } from "../rules";

export const SIGN_UP_FAILED = "Error creating account";

/** Returns the address of a step of the sign-up, carrying `redirectTo` along. */
export const signUpAddress = (request: Request, step: { step?: "2" } = {}) =>
  authAddress("/auth", redirectToOf(request), { tab: "sign-up", ...step });
