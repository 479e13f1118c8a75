import type { Snapshot } from "#db/schema";
import type { DecisionAction } from "#db/words/decision-actions";
import type { Finding } from "#db/words/findings";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { reasonChoices } from "~/features/reports/rules";
import { type Clock, exactMoment } from "~/platform/dates/dates";
import { showMoment } from "~/platform/dates/time";
import { COMMUNITY_RULES } from "../community-rules";
import { KIND_WORDS } from "../queue/filters";
import { ACTION_WORDS, CASE_ACTIONS, concernsPlayer, REPORTED_BY_YOU, REVIEW_OF_YOU, SCOPE_NAMES } from "../rules";
import type { Moderator } from "../shared/require-moderator.server";
import { PART_LABELS, partsOf } from "../shared/snapshot-parts";
import { nameCase } from "./name";
import type { FoundCasePage, TrackRecord } from "./queries.server";

/** The wording of each finding of our checks. */
const FINDING_WORDS: Record<Finding, string> = {
  profanity: "Obscene word",
  "userinfo-link": "Link with a false beginning",
  "lookalike-link": "Link with look-alike letters",
  shortener: "Shortened link",
  "new-account-link": "Link by a new account",
  "reserved-name": "Name that reads as Lineup's own",
};

/** A reported thing: its parts with their labels and, for a message, the messages before it. */
export interface ShownThing {
  parts: { label: string; text: string }[];
  /** `place` counts from 0. */
  before: { place: number; isByPlayer: boolean; text: string }[];
}

function presentThing(snapshot: Snapshot, playerId: string | null): ShownThing {
  const parts = partsOf(snapshot).map(({ label, texts }) => ({ label, text: texts.join("\n") }));
  const before = Array.isArray(snapshot.before) ? (snapshot.before as { by: string | null; content: string }[]) : [];
  return {
    parts,
    before: before.map(({ by, content }, place) => ({
      place,
      isByPlayer: by !== null && by === playerId,
      text: content,
    })),
  };
}

/** The public page of a case's subject; null if it has none. */
function pageOfSubject({ kind, subjectId, snapshot }: Pick<FoundCasePage, "kind" | "subjectId" | "snapshot">) {
  switch (kind) {
    case "post":
      return `/lfg/${subjectId}`;
    case "player":
      return `/players/${subjectId}`;
    case "tournament":
      return `/tournaments/${subjectId}`;
    case "review":
      return typeof snapshot.aboutId === "string" ? `/players/${snapshot.aboutId}#feedback` : null;
    case "team":
      return typeof snapshot.tournamentId === "string"
        ? `/tournaments/${snapshot.tournamentId}/teams/${subjectId}`
        : null;
    case "message":
      return null;
    default:
      return kind satisfies never;
  }
}

/** Describes a finding of our checks: "Obscene word, Text: …". */
const sayFinding = ({ field, finding, matches }: FoundCasePage["findings"][number]): string =>
  `${FINDING_WORDS[finding]}, ${PART_LABELS[field] ?? field}: ${matches.join(", ")}`;

/**
 * Presents the versions of the thing that our checks flagged after its case was opened, each once, with its findings.
 */
function presentFoundLater({ findings, playerId }: FoundCasePage): { findings: string[]; thing: ShownThing }[] {
  const versions = new Map<string, { findings: string[]; thing: ShownThing }>();
  for (const one of findings) {
    if (one.snapshot === null) continue;
    const key = JSON.stringify(one.snapshot);
    const version = versions.get(key) ?? { findings: [], thing: presentThing(one.snapshot, playerId) };
    version.findings.push(sayFinding(one));
    versions.set(key, version);
  }
  return [...versions.values()];
}

/** Presents a report. If its sender saw another version of the thing than the case has, includes that version. */
function presentReport(report: FoundCasePage["reports"][number], { kind, playerId }: FoundCasePage, clock: Clock) {
  const { id, reporterId, reporter, reason, details, snapshot, picture, createdAt, about, by } = report;
  return {
    ...{ id, reporterId, details },
    reporter: reporter ?? (reporterId ? UNKNOWN_PLAYER : null),
    reason: reasonChoices(kind).find(([value]) => value === reason)?.[1] ?? reason,
    seen: snapshot && presentThing(snapshot, playerId),
    hasPicture: picture !== null,
    sent: showMoment(new Date(createdAt), clock),
    records: about && by && { about: sayRecord(about, "case"), by: sayRecord(by, "report") },
  };
}

/** Describes a track record: "3 cases, 1 of 2 decided upheld". */
function sayRecord({ total, decided, upheld }: TrackRecord, thing: string): string {
  if (total === 0) return `no ${thing}s`;
  const count = `${total} ${total === 1 ? thing : `${thing}s`}`;
  return decided === 0 ? `${count}, none decided yet` : `${count}, ${upheld} of ${decided} decided upheld`;
}

/** Describes a decision: "suspended the player until …". */
function sayDecision(
  { action, scopes, until }: Pick<FoundCasePage["decisions"][number], "action" | "scopes" | "until">,
  clock: Clock,
): string {
  const what = scopes?.length
    ? ` (${scopes
        .map((scope) => SCOPE_NAMES[scope])
        .join(", ")
        .toLowerCase()})`
    : "";
  return `${ACTION_WORDS[action].done}${what}${until ? ` until ${exactMoment(until, clock)}` : ""}`;
}

/** Presents a decision for moderators. */
export function presentDecision(decision: FoundCasePage["decisions"][number], clock: Clock) {
  const { id, caseId, decider, rule, reason, createdAt, undoneBy } = decision;
  const found = COMMUNITY_RULES.find(({ key }) => key === rule);
  return {
    ...{ id, caseId, decider, reason },
    words: sayDecision(decision, clock),
    rule: found ? { number: found.number, title: found.title } : null,
    made: showMoment(createdAt, clock),
    isUndone: undoneBy !== null,
  };
}

/** Presents a case for its page. */
export function presentCase(found: FoundCasePage, viewer: Moderator, clock: Clock) {
  const { id, kind, playerId, snapshot, present, state } = found;
  const standing = found.decisions.filter(({ undoneBy, action }) => undoneBy === null && action !== "undo");
  const isHidden = standing.some(({ action }) => action === "hide");
  const isForOthers = found.isForAdmin === 1 && viewer.role !== "admin";
  const refusal = isForOthers
    ? "This case is waiting for an admin. You can read it and add notes."
    : found.role === "admin"
      ? "Only an operator can decide about an admin, at the command line."
      : found.hasReported
        ? REPORTED_BY_YOU
        : found.isReviewed
          ? REVIEW_OF_YOU
          : null;
  const isPossible = (action: DecisionAction): boolean => {
    if (action === "undo") return standing.length > 0;
    if (action === "restore") return isHidden;
    if (action === "hide") return !isHidden && present !== null;
    if (action === "dismiss") return state === "open";
    if (action === "hand-over") return state === "open" && found.isForAdmin === 0;
    return concernsPlayer(action) ? found.player !== null : true;
  };
  return {
    ...{ id, kind, playerId, state, reportCount: found.reportCount, isFlagged: found.isFlagged === 1 },
    isUrgent: found.isUrgent === 1,
    isForAdmin: found.isForAdmin === 1,
    title: nameCase(found),
    findings: found.findings.map(sayFinding),
    foundLater: presentFoundLater(found),
    subjectPage: pageOfSubject(found),
    opened: showMoment(new Date(found.createdAt), clock),
    assignedTo: found.assignedTo,
    assignee: found.assignee,
    isMine: found.assignedTo === viewer.id,
    mayRelease: viewer.role === "admin",
    reported: Object.keys(snapshot).length > 0 ? presentThing(snapshot, playerId) : null,
    present: present ? presentThing(present.snapshot, playerId) : null,
    isUnchanged: present !== null && JSON.stringify(present.snapshot) === JSON.stringify(snapshot),
    hasPicture: found.picture !== null,
    hasNewPicture: present !== null && found.picture !== null && present.picture !== found.picture,
    player: found.player,
    standing: [
      ...(found.role ? [`Is ${found.role === "admin" ? "an admin" : "a moderator"}`] : []),
      ...(found.suspendedAt !== null
        ? [found.suspendedUntil === null ? "Banned" : `Suspended until ${exactMoment(found.suspendedUntil, clock)}`]
        : []),
      ...found.limits
        .filter(({ until }) => until > clock.now)
        .map(({ scope, until }) => `${SCOPE_NAMES[scope]} limited until ${exactMoment(until, clock)}`),
    ],
    records: { about: sayRecord(found.about, "case"), by: sayRecord(found.by, "report") },
    reports: found.reports.map((report) => presentReport(report, found, clock)),
    decisions: found.decisions.map((decision) => presentDecision(decision, clock)),
    earlier: found.earlier.map((decision) => presentDecision(decision, clock)),
    others: found.others.map((other) => ({
      id: other.id,
      words: `${KIND_WORDS[other.kind]}, ${other.reportCount} ${other.reportCount === 1 ? "report" : "reports"}, ${other.state}`,
      opened: showMoment(new Date(other.createdAt), clock),
    })),
    ownNotes: found.notes.filter(({ authorId }) => authorId === viewer.id).length,
    notes: found.notes.map(({ id: noteId, author, words, createdAt }) => ({
      id: noteId,
      author,
      words,
      written: showMoment(createdAt, clock),
    })),
    refusal,
    actions: refusal
      ? []
      : CASE_ACTIONS.filter(isPossible).map((action) => ({ action, name: ACTION_WORDS[action].name })),
  };
}

export type ShownCase = ReturnType<typeof presentCase>;
export type ShownDecision = ShownCase["decisions"][number];
