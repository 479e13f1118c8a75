import type { Email } from "~/platform/email/email";

/** Sent to a player who has lost their claim to a Riot account because another player proved that it is theirs. */
export function claimTakenOverEmail(riotId: string, link: string): Omit<Email, "recipient"> {
  return {
    subject: "Your Riot ID is no longer verified on Lineup",
    paragraphs: [
      `Another player has signed in with Riot as ${riotId}, the account that was verified in your profile. Verifying only showed that the account exists, but signing in with Riot proves whose it is. That's why your profile is no longer verified. The rest of your Lineup account hasn't changed.`,
    ],
    action: { label: "Go to your profile", link },
    notes: ["If the account is yours, someone else can get into it. Change its password at Riot."],
  };
}
