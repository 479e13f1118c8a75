import { CHANNELS, type Channel, NEWS_GROUPS, type NewsGroup } from "#db/words/news-groups";
import { NEWS_KINDS, type NewsKind } from "#db/words/news-kinds";

/** The group of each kind; null for the kinds that can't be turned off. */
const GROUPS: Record<NewsKind, NewsGroup | null> = {
  message: "messages",
  contact: "messages",
  "join-request": "team",
  "join-accepted": "team",
  "join-declined": "team",
  "team-change": "team",
  feedback: "team",
  "post-expiring": "team",
  "tournament-invitation": "tournaments",
  "tournament-team": "tournaments",
  "tournament-captain": "tournaments",
  "tournament-place": "tournaments",
  "tournament-withdrawn": "tournaments",
  "tournament-check-in": "tournaments",
  "tournament-registered": "tournaments",
  "tournament-due": "tournaments",
  "tournament-organiser": "tournaments",
  "match-ready": "tournaments",
  "match-report": "tournaments",
  "match-result": "tournaments",
  "match-dispute": "tournaments",
  "tournament-finished": "tournaments",
  "tournament-cancelled": "tournaments",
  "feedback-received": "account",
  "riot-claim": "account",
  "report-answered": "account",
  "case-urgent": null,
  "case-waiting": null,
};

export const groupOf = (kind: NewsKind): NewsGroup | null => GROUPS[kind];

export const kindsOf = (group: NewsGroup): NewsKind[] => NEWS_KINDS.filter((kind) => GROUPS[kind] === group);

/** The kinds with a dedicated email, which can't be turned off. */
const EMAILED_ANYWAY: readonly NewsKind[] = ["riot-claim"];

/** Whether unread news of a kind goes into the emails that players can turn off. */
export const isEmailed = (kind: NewsKind): boolean => !EMAILED_ANYWAY.includes(kind);

/** The channels through which a player gets each group's news. */
export type Switches = Record<NewsGroup, Record<Channel, boolean>>;

/**
 * The channels that are off by default. News about the account stays in the bell, since its urgent part has its own
 * email.
 */
const QUIET_BY_DEFAULT: readonly (readonly [NewsGroup, Channel])[] = [
  ["account", "push"],
  ["account", "email"],
];

export const isOnByDefault = (group: NewsGroup, channel: Channel): boolean =>
  !QUIET_BY_DEFAULT.some(([quiet, where]) => quiet === group && where === channel);

/** A switch set by the player. */
export interface SetSwitch {
  newsGroup: NewsGroup;
  channel: Channel;
  isOn: boolean;
}

/** Adds the defaults of the switches that a player hasn't set. */
export function completeSwitches(set: readonly SetSwitch[]): Switches {
  const isOn = (group: NewsGroup, channel: Channel) =>
    set.find((one) => one.newsGroup === group && one.channel === channel)?.isOn ?? isOnByDefault(group, channel);
  return Object.fromEntries(
    NEWS_GROUPS.map((group) => [
      group,
      Object.fromEntries(CHANNELS.map((channel) => [channel, isOn(group, channel)])) as Record<Channel, boolean>,
    ]),
  ) as Switches;
}

/** The wording of the groups on the settings page and in emails. */
export const GROUP_WORDS: Record<NewsGroup, { name: string; sentence: string; inText: string }> = {
  messages: { name: "Messages", sentence: "Chats, and replies to your posts.", inText: "messages" },
  team: {
    name: "Team",
    sentence: "Requests to join, changes to your team, and posts that close soon.",
    inText: "your team",
  },
  tournaments: {
    name: "Tournaments",
    sentence: "Invitations, check-in, your matches, and tournaments you run.",
    inText: "tournaments",
  },
  account: {
    name: "Account",
    sentence: "Feedback for you, your reports, and your Riot account.",
    inText: "your account",
  },
};
