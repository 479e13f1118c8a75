/** The field in which the check leaves its token. */
export const HUMAN_TOKEN_FIELD = "humanToken";

/** The forms that ask for a check; a token that was made for one is nothing for another. */
export const HUMAN_CHECK_PURPOSES = ["sign-up", "reset-password", "sign-in-code"] as const;

export type HumanCheckPurpose = (typeof HUMAN_CHECK_PURPOSES)[number];

/** What the browser needs to make a check. */
export interface HumanCheckOffer {
  siteKey: string;
  /** The address of Turnstile's script. */
  script: string;
}
