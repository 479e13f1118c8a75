import { authAddress, safeRedirect } from "../rules";

export const SIGN_UP_FAILED = "Error creating account";
export const VERIFICATION_FAILED = "Verification failed";

/** Returns the address of a step of the sign-up, carrying `redirectTo` along. */
export const signUpAddress = (params: URLSearchParams, step: { step?: "2" } = {}) =>
  authAddress("/auth", safeRedirect(params.get("redirectTo")), { tab: "sign-up", ...step });
