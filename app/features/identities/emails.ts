import type { Email } from "~/platform/email/email";

/** Tells the player about a new way to sign in to their account, whoever added it. */
export function accountLinkedEmail(recipient: string, provider: string, name: string, link: string): Email {
  return {
    recipient,
    subject: `${provider} is linked to your Lineup account`,
    paragraphs: [`The ${provider} account ${name} was linked to your Lineup account. You can now sign in with it.`],
    action: { label: "See linked accounts", link },
    notes: ["If it wasn't you, unlink it there and change your password."],
  };
}

export function accountUnlinkedEmail(recipient: string, provider: string, link: string): Email {
  return {
    recipient,
    subject: `${provider} is no longer linked to your Lineup account`,
    paragraphs: [`Your ${provider} account was unlinked from your Lineup account. You can't sign in with it any more.`],
    action: { label: "See linked accounts", link },
    notes: ["If it wasn't you, change your password."],
  };
}
