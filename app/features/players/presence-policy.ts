import type { PresencePolicy } from "#db/words/presence-policies";

/** The label and the explanation of each choice in the settings. */
export const PRESENCE_POLICY_WORDS: Record<PresencePolicy, { label: string; hint: string }> = {
  everyone: { label: "Everyone", hint: "Players see it on your open posts, and can filter for who's online." },
  known: { label: "Players I know", hint: "Players you've written to or played with, and your teams." },
  nobody: { label: "Nobody", hint: "You never show as online, not even to your team." },
};
