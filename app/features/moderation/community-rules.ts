/** A rule of the community, as `/rules` shows it. */
interface CommunityRule {
  /** Its place on the page, from 1. Its anchor contains it: `#rule-3` is the third rule's. */
  number: number;
  /** Stored with decisions, so it never changes, even if the rule is reworded or moved. */
  key: string;
  title: string;
  text: string;
}

/**
 * The rules that players agree to. `/rules` shows them, and moderators' decisions refer to them. Rules can be reworded,
 * moved and added, but a published key must stay: decisions refer to it.
 */
const RULES = [
  {
    key: "respect",
    title: "Respect other players",
    text: "No insults, no harassment, and no telling anyone to hurt themselves. Being angry about a lost round is fine; taking it out on a person isn't. If someone wants to be left alone, leave them alone.",
  },
  {
    key: "hate",
    title: "No hate",
    text: "Don't attack or exclude people for their origin, skin colour, religion, gender, sexuality or disability. Names and symbols of hateful movements count, too.",
  },
  {
    key: "sexual",
    title: "Nothing sexual",
    text: "No sexual words, pictures or advances. Anything sexual about minors means a ban, and we report it to the authorities.",
  },
  {
    key: "threats",
    title: "No threats",
    text: "Don't threaten anyone, and don't call for violence or cheer it on.",
  },
  {
    key: "privacy",
    title: "Keep private things private",
    text: "Don't share someone's real name, address, phone number, photos or private messages without their consent.",
  },
  {
    key: "cheating",
    title: "No cheating and no boosting",
    text: "No cheats, no boosting, no sharing, buying or selling of accounts, and no offering or asking for any of it. Riot's own terms forbid it, too.",
  },
  {
    key: "spam",
    title: "No spam, advertising or scams",
    text: "Don't post the same thing over and over, advertise, ask for money, or send links that pretend to lead somewhere else. A link to your team's voice chat is fine.",
  },
  {
    key: "impersonation",
    title: "Be yourself",
    text: "Don't pose as another player, an organiser, Riot or someone from Lineup, and link only Riot accounts that are yours.",
  },
  {
    key: "reviews",
    title: "Review honestly",
    text: "Rate how someone played with you. Don't trade stars, take revenge, or write what isn't true.",
  },
  {
    key: "fair-play",
    title: "Compete fairly",
    text: "In tournaments, report results as they were, don't lose on purpose or play for someone else, and hand out the prizes you promise. No betting and no gambling.",
  },
  {
    key: "evasion",
    title: "No way around a decision",
    text: "Don't use another account to get around a limit, a suspension or a ban. If a decision is wrong, appeal it.",
  },
  {
    key: "law",
    title: "Nothing illegal",
    text: "Whatever the law forbids is forbidden here, even if no other rule mentions it.",
  },
] as const;

/** The key of a rule. */
export type RuleKey = (typeof RULES)[number]["key"];

/** All rules in the order of the page. */
export const COMMUNITY_RULES: readonly (CommunityRule & { key: RuleKey })[] = RULES.map((rule, index) => ({
  number: index + 1,
  ...rule,
}));
