/** What stands beside a player's name about their Riot account. */
export interface VerifiedMark {
  label: string;
  /** What that means. */
  title: string;
}

/**
 * Whether a player's Riot account was found at Riot, or proven by Riot Sign-On to be theirs. In words, which the pages
 * have as data: they are no script.
 */
export function verifiedMark({
  verified,
  riotProven,
}: {
  verified: boolean;
  riotProven: boolean;
}): VerifiedMark | null {
  if (!verified) return null;
  return riotProven
    ? { label: "Verified by Riot", title: "Riot has confirmed that this account is theirs" }
    : { label: "Verified", title: "Riot ID found" };
}
