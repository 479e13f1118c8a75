/** The kinds of details that a team sets for itself: VALORANT's party code, and the link to its voice channel. */
export const TEAM_DETAILS = ["party-code", "voice-link"] as const;

export type TeamDetail = (typeof TEAM_DETAILS)[number];

export const PARTY_CODE: TeamDetail = "party-code";
export const VOICE_LINK: TeamDetail = "voice-link";
