import type { Snapshot } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import { COMMUNITY_RULES } from "../community-rules";
import { SCOPE_WORDS } from "../rules";
import { partsOf } from "./snapshot-parts";

/* The wording of decisions for the player they are about, on `/account/decisions` and in emails. */

/** The decisions that the player is told about, with reasons. */
export const TOLD_ACTIONS = [
  "hide",
  "restore",
  "warn",
  "limit",
  "suspend",
  "ban",
] as const satisfies readonly DecisionAction[];

type ToldAction = (typeof TOLD_ACTIONS)[number];

/** The decisions that the player can appeal: those against them. */
export const APPEALABLE_ACTIONS = TOLD_ACTIONS.filter((action) => action !== "restore");

/** Whether the player is told of a decision. */
export const isTold = (action: DecisionAction): action is ToldAction =>
  (TOLD_ACTIONS as readonly string[]).includes(action);

/** Whether the player can appeal a decision. */
export const isAppealable = (action: DecisionAction): boolean => isTold(action) && action !== "restore";

/** The kinds of subjects, as a sentence to their author names them. */
const YOURS: Record<ReportKind, string> = {
  post: "your post",
  player: "your profile",
  message: "your message",
  review: "your review",
  team: "your team's name",
  tournament: "your tournament",
};

/** Joins words into a list: "one, two or three". */
const listOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** Lists the actions that a limit forbids: "send messages or host tournaments". */
export const limitWords = (scopes: readonly RestrictionScope[]): string =>
  listOr(scopes.map((scope) => SCOPE_WORDS[scope]));

/** The parts of a decision that the player is told. */
interface Decided {
  action: DecisionAction;
  kind: ReportKind;
  scopes: readonly RestrictionScope[] | null;
}

/** Returns the heading of a statement of reasons. */
export function decisionTitle({ action, kind, scopes }: Decided): string {
  const yours = YOURS[kind];
  switch (action) {
    case "hide":
      return `We've hidden ${yours}`;
    case "restore":
      return `${yours.charAt(0).toUpperCase()}${yours.slice(1)} is visible again`;
    case "warn":
      return `A warning about ${yours}`;
    case "limit":
      return `You can't ${limitWords(scopes ?? [])} for a while`;
    case "suspend":
      return "Your account is suspended";
    case "ban":
      return "Your account is banned";
    default:
      return `A decision about ${yours}`;
  }
}

/**
 * Describes the duration of a decision.
 * @param until the formatted end; null if there is none
 * @returns null for decisions without a duration
 */
export function durationWords(action: DecisionAction, until: string | null): string | null {
  if (until !== null) return `It ends on ${until}.`;
  if (action === "ban") return "It has no end date.";
  if (action === "suspend") return "It lasts until it's lifted.";
  return null;
}

/** The way in which a case reached the moderators. */
interface Origin {
  /** Whether our checks flagged it. */
  isFlagged: boolean;
  /** Number of reports; null if unknown because the case is deleted. */
  reportCount: number | null;
}

/** Describes the origin of a case: a report, an automatic check, both or neither. Decisions are never automatic. */
export function originWords({ isFlagged, reportCount }: Origin): string {
  const decided = isFlagged ? "A person made this decision." : "A person made this decision, without automated help.";
  return `${isFlagged ? flaggedWords(reportCount) : foundWords(reportCount)} ${decided}`;
}

function flaggedWords(reportCount: number | null): string {
  if (reportCount === null) return "An automated check found it.";
  return reportCount > 0
    ? "Someone reported it to us, and an automated check found it, too."
    : "An automated check flagged it to our moderators. Nobody had reported it.";
}

function foundWords(reportCount: number | null): string {
  if (reportCount === null) return "Someone reported it to us, or we found it ourselves.";
  return reportCount > 0 ? "Someone reported it to us." : "We found it ourselves. Nobody had reported it.";
}

/** Finds the rule with a key; null if there is no key, or the rule no longer exists. */
export function ruleOf(key: string | null): { title: string; anchor: string } | null {
  const rule = COMMUNITY_RULES.find((one) => one.key === key);
  return rule ? { title: `${rule.number}. ${rule.title}`, anchor: `/rules#rule-${rule.number}` } : null;
}

/** Names the subject of a decision: "your post". */
export const yoursOf = (kind: ReportKind): string => YOURS[kind];

/** A thing as a later reporter saw it, or as our checks found it. */
export interface LaterEvidence {
  /** Null if only the picture differs. */
  snapshot: Snapshot | null;
  /** The picture's key; null if it is the case's own picture, or if there is none. */
  picture: string | null;
}

/** The parts of a snapshot that its author wrote, by kind. */
const WRITTEN: Record<ReportKind, readonly string[]> = {
  post: ["title", "message"],
  player: [
    "author",
    "riotId",
    "description",
    "tags",
    "playTimes",
    "discordTag",
    "requests",
    "searches",
    "teamDetails",
    "disputes",
  ],
  message: ["content"],
  review: ["comment"],
  team: ["name"],
  tournament: ["title", "description", "rules", "cancelReason", "disqualifications"],
};

/** Maximum number of quoted lines. */
const MAX_QUOTED = 100;

/**
 * Picks the author's own words from everything that a case keeps of a thing, to quote them to the author.
 * @param others the case's picture, and the later versions of the thing
 * @returns one line per text, labelled with its part if there are several parts
 */
export function quoteOf(
  kind: ReportKind,
  snapshot: Snapshot,
  { picture = null, later = [] }: { picture?: string | null; later?: readonly LaterEvidence[] | null } = {},
): string[] {
  const versions = [{ snapshot, picture }, ...(later ?? [])];
  const isWritten = (part: string) => part === "quoted" || WRITTEN[kind].includes(part);
  const parts = new Map<string, string[]>();
  for (const version of versions) {
    for (const { part, label, texts } of partsOf(version.snapshot ?? {})) {
      if (isWritten(part)) parts.set(label, [...(parts.get(label) ?? []), ...texts]);
    }
  }
  if (versions.some((version) => version.picture !== null)) parts.set("Picture", ["the one you had then"]);
  const lines = [...parts].flatMap(([label, texts]) =>
    parts.size > 1 ? texts.map((text) => `${label}: ${text}`) : texts,
  );
  return [...new Set(lines)].slice(0, MAX_QUOTED);
}
