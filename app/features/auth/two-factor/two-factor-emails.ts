import type { Email } from "~/platform/email/email";

/** @param contact where to write to, as `contactPoint` returns it */
const notYou = (contact: string) =>
  `If it was not you, someone else is in your account: change your password and write to us at ${contact}`;
const settings = (link: string) => ({ label: "Two-factor settings", link });
const codes = (count: number) =>
  count === 1 ? "1 recovery code is left." : `${count || "No"} recovery codes are left.`;

/** Sent when two-factor was turned on. */
export function twoFactorOnEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "Two-factor is on for your Lineup account",
    paragraphs: ["From now on, signing in asks for a code from your authenticator app. Keep your recovery codes safe."],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when two-factor was turned off. */
export function twoFactorOffEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "Two-factor is off for your Lineup account",
    paragraphs: [
      "From now on, signing in no longer asks for a code. Your recovery codes and remembered devices are gone.",
    ],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when recovery codes were replaced. Never contains them. */
export function recoveryCodesRenewedEmail(recipient: string, link: string, contact: string): Email {
  return {
    recipient,
    subject: "New recovery codes for your Lineup account",
    paragraphs: ["You have new recovery codes. The ones before them don't work any more."],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent when a recovery code was used; `left` is the number of remaining ones. */
export function recoveryCodeUsedEmail(recipient: string, left: number, link: string, contact: string): Email {
  return {
    recipient,
    subject: "A recovery code was used for your Lineup account",
    paragraphs: [
      "One of your recovery codes was used instead of a code from your authenticator app.",
      left > 3 ? codes(left) : `${codes(left)} Make new ones in your settings.`,
    ],
    action: settings(link),
    notes: [notYou(contact)],
  };
}

/** Sent after someone with the right password has used up the attempts at the second factor. */
export function wrongCodesEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Wrong codes for your Lineup account",
    paragraphs: [
      "Someone signed in to your account as far as the second step and then gave five wrong codes. They did not get in.",
    ],
    action: { label: "Go to Lineup", link },
    notes: ["If it was not you, change your password: someone else knows it, or can read your e-mail."],
  };
}
