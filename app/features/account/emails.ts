import type { Email } from "~/platform/email/email";

/**
 * The email to a player who has asked to delete their account: says when it will be deleted, and how to cancel that.
 * @param date as formatted by `emailDate`
 */
export function deletionEmail(recipient: string, date: string, link: string): Email {
  return {
    recipient,
    subject: "Your Lineup account will be deleted",
    paragraphs: [
      `You asked us to delete your Lineup account. On ${date} we'll delete it for good: your profile, your posts, your settings and the way you sign in. Your messages stay with the people you wrote to, without your name.`,
      "Until then nobody sees your posts, and you're signed out on all devices.",
      "Changed your mind? Sign in before that day and choose Keep My Account.",
    ],
    action: { label: "Keep my account", link },
    notes: ["If it wasn't you, sign in, keep the account and change your password."],
  };
}
