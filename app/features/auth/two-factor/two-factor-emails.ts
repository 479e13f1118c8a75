import type { Email } from "~/platform/email/email";

/** @param contact where to write to, as `contactPoint` returns it */
const notYou = (contact: string) =>
  `If it wasn't you, someone else is in your account. Change your password and write to us at ${contact}`;
const settings = (link: string) => ({ label: "Two-factor settings", link });
const codes = (count: number) =>
  count === 1 ? "You have 1 recovery code left." : `You have ${count || "no"} recovery codes left.`;

/** Sent when two-factor was turned on. */
export function twoFactorOnEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "Two-factor is on for your Lineup account",
    paragraphs: ["From now on, you need a code from your authenticator app to sign in. Keep your recovery codes safe."],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when two-factor was turned off. */
export function twoFactorOffEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "Two-factor is off for your Lineup account",
    paragraphs: ["You no longer need a code to sign in. Your recovery codes and remembered devices are gone."],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when recovery codes were replaced. Never contains them. */
export function recoveryCodesRenewedEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "New recovery codes for your Lineup account",
    paragraphs: ["You have new recovery codes. The old ones don't work any more."],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when a recovery code was used; `left` is the number of remaining ones. */
export function recoveryCodeUsedEmail(recipient: string, left: number, link: string, contact: string): Email {
  return {
    recipient,
    subject: "A recovery code for your Lineup account was used",
    paragraphs: [
      "Someone, hopefully you, used a recovery code instead of a code from your authenticator app.",
      left > 3 ? codes(left) : `${codes(left)} You can get new ones in your settings.`,
    ],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent after five wrong codes from someone who passed the first step of one or several sign-ins. */
export function wrongCodesEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Wrong codes for your Lineup account",
    paragraphs: ["Someone who passed the first step of signing in has entered five wrong codes. They didn't get in."],
    action: { label: "Go to Lineup", link },
    notes: ["If it wasn't you, change your password: someone else knows it, or can read your email."],
  };
}
