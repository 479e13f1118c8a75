import type { Snapshot } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import { COMMUNITY_RULES } from "../community-rules";
import { SCOPE_WORDS } from "../rules";
import { partsOf } from "./snapshot-parts";

/* How decisions are put to the player they are about: on `/account/decisions` and in e-mails. */

/** The decisions that their player is told, with reasons. */
export const TOLD_ACTIONS = [
  "hide",
  "restore",
  "warn",
  "limit",
  "suspend",
  "ban",
] as const satisfies readonly DecisionAction[];

type ToldAction = (typeof TOLD_ACTIONS)[number];

/** The decisions that their player can appeal: those that are against them. */
export const APPEALABLE_ACTIONS = TOLD_ACTIONS.filter((action) => action !== "restore");

/** Whether a decision's player is told of it. */
export const isTold = (action: DecisionAction): action is ToldAction =>
  (TOLD_ACTIONS as readonly string[]).includes(action);

/** Whether a decision's player can appeal it. */
export const isAppealable = (action: DecisionAction): boolean => isTold(action) && action !== "restore";

/** The things that can be decided about, within a sentence to their author. */
const YOURS: Record<ReportKind, string> = {
  post: "your post",
  player: "your profile",
  message: "your message",
  review: "your review",
  team: "your team's name",
  tournament: "your tournament",
};

/** Puts words into a list: "one, two or three". */
const listOr = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** Says what a limit keeps its player from: "send messages or host tournaments". */
export const limitWords = (scopes: readonly RestrictionScope[]): string =>
  listOr(scopes.map((scope) => SCOPE_WORDS[scope]));

/** The parts of a decision that its player is told. */
interface Decided {
  action: DecisionAction;
  kind: ReportKind;
  scopes: readonly RestrictionScope[] | null;
}

/** Says what was decided, as the heading of a statement of reasons. */
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
 * Says how long a decision lasts.
 * @param until the formatted end; null if there is none
 * @returns null for decisions without a duration
 */
export function durationWords(action: DecisionAction, until: string | null): string | null {
  if (until !== null) return `It ends on ${until}.`;
  if (action === "ban") return "It has no end date.";
  if (action === "suspend") return "It lasts until it's lifted.";
  return null;
}

/** How a case came before the moderators. */
interface Origin {
  /** Whether a check of ours had found it. */
  isFlagged: boolean;
  /** How many reports it has; null if that isn't known any more, because the case is deleted. */
  reportCount: number | null;
}

/** Says how the moderators came to know: by a report, by a machine, both or neither. No machine decides. */
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

/** Names a community rule; null if none was named, or none has this key any more. */
export function ruleOf(key: string | null): { title: string; anchor: string } | null {
  const rule = COMMUNITY_RULES.find((one) => one.key === key);
  return rule ? { title: `${rule.number}. ${rule.title}`, anchor: `/rules#rule-${rule.number}` } : null;
}

/** Names the thing that a decision is about: "your post". */
export const yoursOf = (kind: ReportKind): string => YOURS[kind];

/** A thing as a later reporter saw it, or as a check of ours found it. */
export interface LaterEvidence {
  /** Null if only the picture is another one. */
  snapshot: Snapshot | null;
  /** The picture's key; null if it is the case's, or if there is none. */
  picture: string | null;
}

/** The parts of a snapshot that the thing's author has written, by kind. */
const WRITTEN: Record<ReportKind, readonly string[]> = {
  post: ["title", "message"],
  player: ["author", "riotId", "description", "tags", "playTimes", "discordTag", "requests", "searches", "teamDetails"],
  message: ["content"],
  review: ["comment"],
  team: ["name"],
  tournament: ["title", "description", "rules", "cancelReason", "disqualifications"],
};

/** The most lines that are quoted of a thing. */
const MAX_QUOTED = 100;

/**
 * Picks the words of a thing's author from everything that a case keeps of it, to quote them to the author.
 * @param others the case's picture, and the versions that came after its first
 * @returns one line for each text, with the name of its part where there are several parts
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
