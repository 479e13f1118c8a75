/** The parts of a profile that a player may hide; name, rank, role, agents, region, voice and tags always show. */
export const SHAREABLE = ["discordTag", "description", "availability", "languages", "feedback"] as const;

export type Shareable = (typeof SHAREABLE)[number];

/** The default: all but the Discord tag, which teammates see in any case. */
export const SHARED_BY_DEFAULT: readonly Shareable[] = ["description", "availability", "languages", "feedback"];

/** Whether others may see a part of a profile. */
export const isShared = (shares: readonly Shareable[] | null, what: Shareable): boolean =>
  (shares ?? SHARED_BY_DEFAULT).includes(what);
