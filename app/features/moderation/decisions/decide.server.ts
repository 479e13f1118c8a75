import { type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { timeOfId, uuidv7 } from "#db/ids";
import { decisions, reportCases, users } from "#db/schema";
import { bare, columnsOf } from "#db/sql";
import { type Steps, transact } from "#db/statements";
import type { DecisionAction } from "#db/words/decision-actions";
import type { RequestContext } from "~/platform/context";
import type { Enqueuing } from "~/platform/email/outbox.server";
import { closesCase, concernsPlayer } from "../rules";
import { digestEvidence } from "../shared/evidence-digest.server";
import type { HidingResults } from "../shared/hiding.server";
import { hasReported, isReviewOf } from "../shared/involvement.server";
import { latestDecision, selectStanding } from "../shared/latest-decision.server";
import { idOf, type ModerationActor, mayAct, recordedName, recordInModerationLog } from "../shared/log.server";
import { isAboutAdmin, isForOthers, isOwn, maySettle, playerOf } from "../shared/settling.server";
import { resolveCaseNews } from "../shared/staff-news.server";
import { tellOfDecision, tellOfUndoing } from "../statement/tell.server";
import type { DECISION_REFUSALS, DecidedCase, NewDecision } from "./decision";
import { buildEffects } from "./effects.server";
import { buildHiding, isHidden } from "./hiding-effects.server";

const about = alias(users, "about");
const c = alias(reportCases, "c");
export const last = alias(decisions, "last");
const made = alias(decisions, "made");

type CommandContext = Enqueuing & Pick<RequestContext, "origin">;

/**
 * Additional parts of a decision: a condition, and statements in its transaction. If the decision is an undo, these
 * statements also notify the player of it, and `decide` sends no email about it.
 */
interface DecisionParts {
  condition: SQL;
  /** @param isMade SQL condition that this transaction has made the decision */
  statements?(isMade: SQL): Steps;
}

/** The decision that was made since the moderator opened the form. */
export interface OtherDecision {
  id: string;
  action: DecisionAction;
  /** Whether the same moderator made it, for example by submitting this form before going back to it. */
  isByActor: boolean;
  decider: string;
  reason: string;
}

export type DecisionOutcome =
  | {
      outcome: "decided";
      id: string;
      /** Sessions that have ended, for `closeSessions`. */
      endedSessions: string[];
      /** The posts that have closed. Their follow-ups tell open lists and teams. */
      closedPosts: string[];
      /** Other players whose notifications have changed. */
      notified: string[];
      /** The results of hiding or restoring the thing, for `followHiding`. */
      hiding: HidingResults[];
      /**
       * Whether the player was just suspended or banned, and must leave their teams and tournaments. The follow-ups do
       * so.
       */
      isSuspended: boolean;
    }
  /** The same form has made this decision before. */
  | { outcome: "repeated"; id: string }
  /** The latest decision isn't the one that the moderator saw. `other` is null if the case has no decision. */
  | { outcome: "overtaken"; other: OtherDecision | null }
  /** The case has reports or findings that the moderator hasn't seen. */
  | { outcome: "overtaken"; evidence: string }
  | { outcome: "missing" | keyof typeof DECISION_REFUSALS };

/** A decision that was made. */
export type Decided = Extract<DecisionOutcome, { outcome: "decided" }>;

/**
 * Decides a case and applies all effects, in one transaction. Of two simultaneous decisions the first wins, and the
 * second moderator is shown it. A decision answers all reports of its case, so a form that is older than the latest
 * report or finding is refused. Moderators can't decide about themselves, about an admin, or in cases that they
 * reported or that concern a review of them. Only admins can decide cases that were handed over to the admins. An
 * operator at the command line may decide any case. Sending the same form twice decides once. The player gets a
 * statement of reasons, or an email about an undo, and reporters are told whether we acted.
 */
export async function decide(
  context: CommandContext,
  actor: ModerationActor,
  theCase: DecidedCase,
  decision: NewDecision,
  parts?: DecisionParts,
): Promise<DecisionOutcome> {
  const { db, now } = context;
  const at = now.getTime();
  const { action, rule, reason, scopes, until, seen, evidence, undoes } = decision;
  // Sorts after the decision that the moderator saw, even if that one was made by a clock that runs ahead.
  const id = uuidv7(seen ? Math.max(at, timeOfId(seen) + 1) : at);
  const latest = sql`coalesce(${latestDecision("id", c.id)}, '')`;
  const isMade = sql`EXISTS (SELECT 1 FROM ${decisions} AS ${made} WHERE ${made.id} = ${id})`;
  const results = await transact(db, {
    insert: db.run(sql`
      INSERT INTO ${decisions} ${columnsOf(
        decisions,
        "id",
        "caseId",
        "follows",
        "kind",
        "subjectId",
        "playerId",
        "action",
        "rule",
        "reason",
        "scopes",
        "until",
        "isFlagged",
        "decidedBy",
        "decider",
        "createdAt",
      )}
      SELECT ${id}, ${c.id}, ${latest}, ${c.kind}, ${c.subjectId}, ${c.playerId}, ${action}, ${rule}, ${reason},
        ${scopes ? JSON.stringify(scopes) : null}, ${until?.getTime() ?? null}, ${c.isFlagged}, ${idOf(actor)},
        ${recordedName(actor)}, ${at}
      FROM ${reportCases} AS ${c}
      WHERE ${c.id} = ${theCase.id} AND ${seen === null ? sql`1` : sql`${latest} = ${seen}`}
        AND ${evidence === undefined ? sql`1` : sql`${digestEvidence(c)} = ${evidence}`}
        AND ${maySettle(actor, now, c)} AND ${isPossible(decision)} AND ${parts?.condition ?? sql`1`}`),
    undone:
      action === "undo"
        ? db.run(sql`
            UPDATE ${decisions} SET ${bare(decisions.undoneBy)} = ${id}
            WHERE ${isMade} AND ${decisions.id} = (${selectStanding(sql`${theCase.id}`, undoes)})`)
        : undefined,
    ...buildHiding(db, { id, theCase, decision, now, actor }, isMade),
    effects: buildEffects(db, { id, theCase, decision, now, actor }, isMade),
    statement: tellOfDecision(context, id, theCase, decision, isMade),
    undoing: action === "undo" && !parts?.statements ? tellOfUndoing(context, { id, theCase, decision }) : undefined,
    parts: parts?.statements?.(isMade),
    close: closesCase(action)
      ? db.run(sql`
          UPDATE ${reportCases} SET ${bare(reportCases.state)} = 'closed', ${bare(reportCases.closedAt)} = ${at},
            ${bare(reportCases.assignedTo)} = NULL
          WHERE ${reportCases.id} = ${theCase.id} AND ${reportCases.state} = 'open' AND ${isMade}`)
      : undefined,
    news: action !== "undo" ? resolveCaseNews(db, theCase.id, now, isMade) : undefined,
    log: recordInModerationLog(
      db,
      actor,
      {
        action,
        caseId: theCase.id,
        decisionId: id,
        ...(theCase.playerId !== null && { playerId: theCase.playerId }),
        details: {
          rule,
          ...(scopes && { scopes: scopes.join(" ") }),
          ...(until && { until: until.toISOString() }),
        },
      },
      now,
      isMade,
    ),
    found: db.all<FoundCase>(sql`
      SELECT ${mayAct(actor, now)} AS mayAct, ${isOwn(actor, c)} AS isOwn, ${isAboutAdmin(actor, c)} AS isAboutAdmin,
        ${hasReported(playerOf(actor), c)} AS hasReported, ${isReviewOf(playerOf(actor), c)} AS isReviewed,
        ${isForOthers(actor, now, c)} AS isForAdmin, ${isGone} AS isGone, ${isSubjectHidden} AS isHidden,
        ${c.state} AS state, ${digestEvidence(c)} AS evidence,
        ${last.id} AS id, ${last.action} AS action, ${last.reason} AS reason, ${last.decider} AS decider,
        ${last.decidedBy} IS ${idOf(actor)} AS isByActor, ${isSameForm(decision, at)} AS isSame
      FROM ${reportCases} AS ${c} LEFT JOIN ${decisions} AS ${last} ON ${last.id} = ${latest}
      WHERE ${c.id} = ${theCase.id}`),
  });
  const deactivated = results.effects.suspension?.deactivated;
  const [found] = results.found;
  if (found?.id === id) {
    return {
      outcome: "decided",
      id,
      endedSessions: (deactivated?.sessions.ended ?? []).map((session) => session.id),
      closedPosts: (deactivated?.posts ?? []).map((post) => post.id),
      notified: [
        ...(deactivated?.requests.notified ?? []),
        ...(results.statement.reporters ?? []),
        ...(results.statement.outdated?.forgotten ?? []),
        ...(results.news ?? []),
      ].map((player) => player.userId),
      hiding: [results.hide, results.restore].filter((result) => result !== undefined),
      isSuspended: action === "suspend" || action === "ban",
    };
  }
  return whyNot(found, decision);
}

interface FoundCase {
  mayAct: number;
  isOwn: number;
  isAboutAdmin: number;
  hasReported: number;
  isReviewed: number;
  isForAdmin: number;
  isGone: number;
  isHidden: number;
  state: (typeof reportCases.$inferSelect)["state"];
  evidence: string;
  /** The latest decision; null if there is none. */
  id: string | null;
  action: DecisionAction;
  reason: string;
  decider: string;
  isByActor: number;
  /** Null if there is no latest decision. */
  isSame: number | null;
}

function whyNot(found: FoundCase | undefined, { action, seen, evidence, undoes }: NewDecision): DecisionOutcome {
  if (!found?.mayAct) return { outcome: "missing" };
  const { id } = found;
  const isByActor = Boolean(found.isByActor);
  if (id && isByActor && found.isSame) return { outcome: "repeated", id };
  if (seen !== null && (id ?? "") !== seen) {
    return { outcome: "overtaken", other: id ? { ...found, id, isByActor } : null };
  }
  if (found.isOwn) return { outcome: "own" };
  if (found.hasReported) return { outcome: "reported" };
  if (found.isReviewed) return { outcome: "reviewed" };
  if (found.isAboutAdmin) return { outcome: "admin" };
  if (found.isForAdmin) return { outcome: "for-admin" };
  if (evidence !== undefined && found.evidence !== evidence) return { outcome: "overtaken", evidence: found.evidence };
  if (action === "undo") return { outcome: undoes ? "undone-already" : "nothing-to-undo" };
  if (concernsPlayer(action) && found.isGone) return { outcome: "gone" };
  if (action === "restore" && !found.isHidden) return { outcome: "not-hidden" };
  return { outcome: "closed" };
}

/** True if the decision `last` says the same as this one, regardless of when it ends. */
export const isSame = ({ action, rule, reason, scopes }: NewDecision): SQL => sql`(
  ${last.action} = ${action} AND ${last.rule} IS ${rule} AND ${last.reason} = ${reason}
    AND ${last.scopes} IS ${scopes ? JSON.stringify(scopes) : null}
)`;

/**
 * True if the decision `last` came from the same form as this one, with the same entries. A form submits a number of
 * days, counted from the moment of the decision, so durations are compared instead of ends.
 */
const isSameForm = (decision: NewDecision, at: number): SQL => sql`(
  ${last.follows} = ${decision.seen} AND ${isSame(decision)}
    AND ${last.until} - ${last.createdAt} IS ${decision.until ? decision.until.getTime() - at : null}
)`;

/** True if the player of the case `c` has been erased. */
const isGone = sql`NOT EXISTS (SELECT 1 FROM ${users} AS ${about} WHERE ${about.id} = ${c.playerId})`;

/** True if a decision hides the subject of the case `c`, in this case or in another about the same subject. */
const isSubjectHidden = isHidden(c.kind, c.subjectId);

/** True if the action makes sense for the case `c` in its current state. */
function isPossible({ action, undoes }: NewDecision): SQL {
  if (action === "undo") return sql`EXISTS (${selectStanding(sql`${c.id}`, undoes)})`;
  if (action === "hand-over") return sql`(${c.state} = 'open' AND NOT ${c.isForAdmin})`;
  if (action === "dismiss") return sql`${c.state} = 'open'`;
  if (action === "restore") return isSubjectHidden;
  return concernsPlayer(action) ? sql`NOT ${isGone}` : sql`1`;
}
