import type { Email } from "~/platform/email/content";

const NOT_YOU = "If it was not you, ignore this e-mail: nothing changes.";

/** Sent after sign-up: the link that confirms the address. */
export function confirmationEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Confirm your e-mail address for Lineup",
    paragraphs: ["Someone, hopefully you, signed up at Lineup with this e-mail address. Open this link to confirm it."],
    action: { label: "Confirm e-mail address", link },
    notes: ["The link works for 7 days.", NOT_YOU],
  };
}

/** Sent instead, when the address already has an account: the page must not tell a stranger, the owner may know. */
export function accountExistsEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "You already have a Lineup account",
    paragraphs: [
      "Someone, hopefully you, tried to sign up at Lineup with this e-mail address, which already has an account. Nothing was changed. You can sign in here.",
    ],
    action: { label: "Sign in", link },
  };
}

/**
 * Sent after a run of wrong passwords.
 * @param place where the last try came from, roughly; null where that isn't known
 * @param link where a new password is set
 */
export function failedSignInsEmail(recipient: string, times: number, place: string | null, link: string): Email {
  return {
    recipient,
    subject: "Someone tried to sign in to your Lineup account",
    paragraphs: [
      `Someone gave a wrong password for your account ${times} times in a row${place ? `, the last time from around ${place}` : ""}. Nobody got in, and each further try has to wait longer.`,
      "If it was you and the password is forgotten, set a new one.",
    ],
    action: { label: "Set a New Password", link },
    notes: [
      "If it was not you, nothing has to be done. A password that you use nowhere else keeps your account yours.",
    ],
  };
}
