/** The form field with the check's token. */
export const HUMAN_TOKEN_FIELD = "humanToken";

/** The forms that ask for a check; a token made for one is not accepted for another. */
export const HUMAN_CHECK_PURPOSES = ["sign-up", "reset-password", "sign-in-code", "report"] as const;

export type HumanCheckPurpose = (typeof HUMAN_CHECK_PURPOSES)[number];

/** The data with which the browser runs a check. */
export interface HumanCheckOffer {
  siteKey: string;
  /** The URL of Turnstile's script. */
  script: string;
}
