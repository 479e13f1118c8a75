import type { Email } from "~/platform/email/outbox.server";

/** Sent after sign-up: the link that confirms the address. */
export function confirmationEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "Confirm your e-mail address for Lineup",
    body: [
      "Hello,",
      "",
      "someone, hopefully you, signed up at Lineup with this e-mail address. Open this link to confirm it:",
      "",
      link,
      "",
      "The link works for 7 days. If it was not you, ignore this e-mail: nothing more will come.",
      "",
      "Lineup",
    ].join("\n"),
  };
}

/** Sent instead, when the address already has an account: the page must not tell a stranger, the owner may know. */
export function accountExistsEmail(recipient: string, link: string): Email {
  return {
    recipient,
    subject: "You already have a Lineup account",
    body: [
      "Hello,",
      "",
      "someone, hopefully you, tried to sign up at Lineup with this e-mail address, which already has an account.",
      "Nothing was changed. You can sign in here:",
      "",
      link,
      "",
      "Lineup",
    ].join("\n"),
  };
}
