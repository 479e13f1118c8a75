/** The groups of notification kinds that a player can turn on and off, in the order of the settings page. */
export const NEWS_GROUPS = ["messages", "team", "tournaments", "account"] as const;

export type NewsGroup = (typeof NEWS_GROUPS)[number];

/** The ways to notify a player. Push and email carry only notifications that the bell also has. */
export const CHANNELS = ["bell", "push", "email"] as const;

export type Channel = (typeof CHANNELS)[number];
