import type { RuleKey } from "../community-rules";

interface Template {
  key: string;
  /** The text of its link. */
  name: string;
  /** Null if no rule was broken. */
  rule: RuleKey | null;
  /** The text that it puts into the form's reason. */
  reason: string;
}

/** Reasons for common cases. A moderator chooses one, adds the facts of the case, and sends it. */
export const TEMPLATES: readonly Template[] = [
  {
    key: "insults",
    name: "Insults",
    rule: "respect",
    reason: "You insulted another player. Being angry about a round is fine; taking it out on a person isn't.",
  },
  {
    key: "hate",
    name: "Hate",
    rule: "hate",
    reason: "You attacked people for who they are. Nobody has to read that here.",
  },
  {
    key: "threats",
    name: "Threats",
    rule: "threats",
    reason: "You threatened another player, or called for violence.",
  },
  {
    key: "sexual",
    name: "Sexual content",
    rule: "sexual",
    reason: "You posted sexual content. That has no place here.",
  },
  {
    key: "boosting",
    name: "Boosting",
    rule: "cheating",
    reason: "You offered or asked for boosting, or for the sale of an account. Riot's terms forbid it, and so do we.",
  },
  {
    key: "spam",
    name: "Advertising",
    rule: "spam",
    reason: "You advertised, or posted the same thing over and over.",
  },
  {
    key: "scam",
    name: "Scam link",
    rule: "spam",
    reason: "You sent a link that pretends to lead somewhere else. Links like that cost players their accounts.",
  },
  {
    key: "revenge",
    name: "Revenge review",
    rule: "reviews",
    reason: "This review isn't about how someone played. It's revenge.",
  },
  {
    key: "impersonation",
    name: "Impersonation",
    rule: "impersonation",
    reason: "You pretended to be someone else, or to speak for Riot or for Lineup.",
  },
  {
    key: "private-data",
    name: "Private data",
    rule: "privacy",
    reason: "You shared someone's private data without their consent.",
  },
  {
    key: "prizes",
    name: "Missing prizes",
    rule: "fair-play",
    reason: "You didn't hand out the prizes your tournament promised.",
  },
  {
    key: "evasion",
    name: "Evasion",
    rule: "evasion",
    reason: "You used another account to get around a decision about you.",
  },
  {
    key: "fine",
    name: "No rule broken",
    rule: null,
    reason: "We've looked at it, and it doesn't break our rules.",
  },
];
