import type { Email } from "~/platform/email/email";

const ONCE = "The code and link work once, within 10 minutes. Nobody from Lineup will ever ask you for them.";
const NOT_YOU = "Not you? Ignore this email.";

/**
 * Sent instead of a confirmation if a suspension bars the address, or the Riot account, from being used again.
 * @param link the contact page
 * @param contact where to write to, as `contactPoint` returns it
 */
export const upheldEmail = (recipient: string, link: string, contact: string): Email => ({
  recipient,
  subject: "Your Lineup account wasn't created",
  paragraphs: [
    "Someone, probably you, tried to sign up for Lineup with this email address. Right now, this address or the Riot account can't be used on Lineup.",
    `Don't know why? Write to us at ${contact}`,
  ],
  action: { label: "Contact us", link },
});

/** Confirms the address of a new account, or of one whose address was never confirmed. */
export function confirmationEmail(recipient: string, code: string, link: string): Email {
  return {
    recipient,
    subject: "Confirm your email address for Lineup",
    paragraphs: [
      "Someone, hopefully you, signed up for Lineup with this email address. Enter this code to confirm it, or open the link.",
    ],
    code,
    action: { label: "Confirm email address", link },
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
      "Someone, hopefully you, tried to sign up for Lineup with this email address. It already has an account, so nothing has changed. You can sign in here.",
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
      "Someone, hopefully you, asked to reset the password of the account with this email address. Enter this code, or open the link.",
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
      "Someone, hopefully you, wants to sign in to the account with this email address. Enter this code, or open the link.",
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
    subject: "Confirm your new email address for Lineup",
    paragraphs: [
      "A player, hopefully you, wants to use this email address for their Lineup account. Enter this code in the browser where you're signed in, or open the link there.",
    ],
    code,
    action: { label: "Use this email address", link },
    notes: [ONCE, NOT_YOU],
  };
}

/** Sent instead of `newAddressEmail` if the new address already has an account. */
export function addressTakenEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "You already have a Lineup account",
    paragraphs: [
      "Someone, hopefully you, wanted to use this email address for another Lineup account. It already has one, so nothing has changed. You can sign in to it here.",
    ],
    action: { label: "Sign in", link },
  };
}

/**
 * Tells the player that the password was changed.
 * @param isFirstProof whether the reset has proven the address for the first time, which removes linked accounts
 */
export function passwordChangedEmail(recipient: string, link: string, isFirstProof = false): Email {
  return {
    recipient,
    subject: "Your Lineup password was changed",
    paragraphs: [
      "Your account's password was just changed, and all your other devices were signed out.",
      "If it was you, all is well. If not, choose a new one right away.",
      isFirstProof
        ? "The reset also proved for the first time that this email address is yours. Until now anyone could have signed up with it, so we've removed two-factor, linked and verified accounts, and the calendar address."
        : "Check that the Discord and Riot accounts under Settings, Linked Accounts, are yours.",
    ],
    action: { label: "Choose a new password", link },
  };
}

/** Sent when a player signs in with an emailed code or link, and thereby confirms the address for the first time. */
export function firstProofEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Choose a new password for your Lineup account",
    paragraphs: [
      "You've just proven for the first time that this email address is yours. Until now anyone could have signed up with it, so we've removed the old password, two-factor, linked and verified accounts, and the calendar address, and signed out all other devices.",
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
    subject: "The email address of your Lineup account has changed",
    paragraphs: [
      "Your account's email address was just changed, by someone who was signed in and can read email at the new address. We won't send email about the account here any more.",
    ],
    notes: [
      `If it was you, all is well. If not, someone can get into your account. Write to us right away at ${contact}`,
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
      `Someone entered a wrong password for your account ${times} times in a row${place ? `, most recently from around ${place}` : ""}. Nobody got in, and every further try has to wait longer.`,
      "If it was you and you've forgotten your password, set a new one.",
    ],
    action: { label: "Set a new password", link },
    notes: ["If it wasn't you, there's nothing to do. A password you use nowhere else keeps your account safe."],
  };
}
