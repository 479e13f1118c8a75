/** The groups of notification kinds that a player can switch, in the order in which the settings page lists them. */
export const NEWS_GROUPS = ["messages", "team", "tournaments", "account"] as const;

export type NewsGroup = (typeof NEWS_GROUPS)[number];

/** The ways to tell a player. Push and email carry only what the bell has. */
export const CHANNELS = ["bell", "push", "email"] as const;

export type Channel = (typeof CHANNELS)[number];
