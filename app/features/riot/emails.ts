import type { Email } from "~/platform/email/email";

/** Sent to a player whose claim to a Riot account was replaced by its proven owner. */
export function claimTakenOverEmail(riotId: string, link: string): Omit<Email, "recipient"> {
  return {
    subject: "Your Riot ID at Lineup is no longer verified",
    paragraphs: [
      `Another player has signed in at Riot as ${riotId}, which was verified in your profile. Verifying had shown that the account exists; signing in at Riot shows whose it is. So your profile is no longer verified, and nothing else has changed.`,
    ],
    action: { label: "Go to your profile", link },
    notes: ["If the account is yours, someone else can get into it: change its password at Riot."],
  };
}
