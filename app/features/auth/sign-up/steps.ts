import { authAddress, readRedirectTo } from "../rules";

export const SIGN_UP_FAILED = "Error creating account";

/** Returns the address of a step of the sign-up, carrying `redirectTo` along. */
export const signUpAddress = (request: Request, step: { step?: "2" } = {}) =>
  authAddress("/auth", readRedirectTo(request), { tab: "sign-up", ...step });
