import type { Email } from "~/platform/email/email";

const ONCE = "Code and link work once, within 10 minutes. Nobody from Lineup ever asks for them.";
const NOT_YOU = "Not you? Ignore this e-mail.";

/**
 * Sent instead of a confirmation if a suspension keeps the address, or the Riot account, from a new account.
 * @param link the contact page
 * @param contact where to write to, as `contactPoint` returns it
 */
export const upheldEmail = (recipient: string, link: string, contact: string): Email => ({
  recipient,
  subject: "No account was made at Lineup",
  paragraphs: [
    "Somebody, probably you, wanted to sign up with this e-mail address. This address, or the Riot account, can't be used at Lineup at the moment.",
    `If you don't know why, write to us at ${contact}`,
  ],
  action: { label: "Contact", link },
});

/** Confirms the address of a new account, or of one whose address was never confirmed. */
export function confirmationEmail(recipient: string, code: string, link: string): Email {
  return {
    recipient,
    subject: "Confirm your e-mail address for Lineup",
    paragraphs: [
      "Someone, hopefully you, signed up at Lineup with this e-mail address. Enter this code to confirm it, or open the link.",
    ],
    code,
    action: { label: "Confirm e-mail address", link },
    notes: [ONCE, NOT_YOU],
  };
}

/**
 * Sent instead of the confirmation if the address already has an account. The page doesn't mention that account,
 * because a stranger may be signing up, but the owner of the address may know about it.
 */
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

/** For a player who has forgotten their password. */
export function resetPasswordEmail(recipient: string, code: string, link: string): Email {
  return {
    recipient,
    subject: "Choose a new password for Lineup",
    paragraphs: [
      "Someone, hopefully you, asked for a new password for the account with this e-mail address. Enter this code, or open the link.",
    ],
    code,
    action: { label: "Choose a new password", link },
    notes: [ONCE, NOT_YOU],
  };
}

/** Contains the code and link for signing in without a password. */
export function signInEmail(recipient: string, code: string, link: string): Email {
  return {
    recipient,
    subject: "Your code to sign in to Lineup",
    paragraphs: [
      "Someone, hopefully you, wants to sign in to the account with this e-mail address. Enter this code, or open the link.",
    ],
    code,
    action: { label: "Sign in", link },
    notes: [ONCE, NOT_YOU],
  };
}

/** Sent to an account's new address, which must be confirmed before it takes effect. */
export function newAddressEmail(recipient: string, code: string, link: string): Email {
  return {
    recipient,
    subject: "Confirm your new e-mail address for Lineup",
    paragraphs: [
      "A player, hopefully you, wants to use this e-mail address for their Lineup account. Enter this code where you are signed in, or open the link there.",
    ],
    code,
    action: { label: "Use this e-mail address", link },
    notes: [ONCE, NOT_YOU],
  };
}

/** Sent instead of `newAddressEmail` if the new address already has an account. */
export function addressTakenEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "You already have a Lineup account",
    paragraphs: [
      "Someone, hopefully you, wanted to use this e-mail address for another Lineup account. It already has one, so nothing was changed. You can sign in to it here.",
    ],
    action: { label: "Sign in", link },
  };
}

/** Tells the player that the password was changed. */
export function passwordChangedEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Your Lineup password was changed",
    paragraphs: [
      "The password of your account was changed just now, and all other devices were signed out.",
      "If it was you, all is well. If it was not, choose a new one at once.",
      "Discord and Riot accounts that are linked stay linked: Settings, Linked Accounts, shows them.",
    ],
    action: { label: "Choose a new password", link },
  };
}

/** Sent when a player signs in with an e-mailed code or link, and thereby confirms the address for the first time. */
export function firstProofEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Choose a new password for your Lineup account",
    paragraphs: [
      "You have just shown for the first time that this e-mail address is yours. Until then anyone could have used it, so the password, two-factor and linked accounts from before were taken off, and all other devices were signed out.",
    ],
    action: { label: "Choose a password", link },
  };
}

/**
 * Sent to an account's previous address. It doesn't name the new one, because the old mailbox may belong to someone
 * else.
 * @param contact where to write to, as `contactPoint` returns it
 */
export function emailChangedEmail(recipient: string, contact: string): Email {
  return {
    recipient,
    subject: "Your Lineup account has another e-mail address now",
    paragraphs: [
      "Your account was given another e-mail address just now. Whoever did it was signed in and can read e-mail there. E-mail for the account no longer comes here.",
    ],
    notes: [
      `If it was you, all is well. If it was not, someone can get into your account: write to us at once, at ${contact}`,
    ],
  };
}

/**
 * Sent after a series of wrong passwords.
 * @param place the approximate place of the last attempt; null if unknown
 * @param link the page for setting a new password
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
