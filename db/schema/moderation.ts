import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { DECISION_ACTIONS } from "../words/decision-actions";
import type { LogAction } from "../words/log-actions";
import { REPORT_KINDS } from "../words/report-kinds";
import { RESTRICTION_SCOPES, type RestrictionScope } from "../words/restriction-scopes";
import { users } from "./accounts";
import { id, moment, oneOf, words } from "./columns";
import { reportCases } from "./reports";

/**
 * A moderator's decision about a case. It has no foreign keys, so that it can still be read after its player's or its
 * moderator's account is deleted, and appealed after the moderator's is. The cron job deletes it together with its
 * case.
 */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    caseId: text("case_id").notNull(),
    /**
     * The case's previous decision; empty for the first. Unique, so that only one of two simultaneous decisions
     * succeeds.
     */
    follows: text("follows").notNull().default(""),
    kind: text("kind", { enum: REPORT_KINDS }).notNull(),
    subjectId: text("subject_id").notNull(),
    /** The player it is about; null if their account was gone already. */
    playerId: text("player_id"),
    action: text("action", { enum: DECISION_ACTIONS }).notNull(),
    /** The key of the community rule that was broken; null for decisions that find no fault. */
    rule: text("rule"),
    /** The facts and the reasons, in the moderator's words. The player reads them. */
    reason: text("reason").notNull(),
    /** The scopes of a limit. */
    scopes: words<RestrictionScope>("scopes"),
    /** When a limit or a suspension ends; null for a ban and other decisions without an end. */
    until: moment("until"),
    /** Whether an automatic check, not a person, had put the case in the queue. */
    isFlagged: integer("is_flagged", { mode: "boolean" }).notNull(),
    /** The deciding player; null for an operator at the command line. */
    decidedBy: text("decided_by"),
    /** The decider's name at the time. */
    decider: text("decider").notNull(),
    createdAt: moment("created_at").notNull(),
    /** The decision that undid this one; null while it stands. */
    undoneBy: text("undone_by"),
  },
  (table) => [
    unique("decisions_one_at_a_time").on(table.caseId, table.follows),
    index("decisions_by_case").on(table.caseId, sql`id DESC`),
    index("decisions_by_player").on(table.playerId, sql`id DESC`),
    check("decisions_kind", oneOf(table.kind, REPORT_KINDS)),
    check("decisions_action", oneOf(table.action, DECISION_ACTIONS)),
    check("decisions_reason", sql`length(reason) BETWEEN 1 AND 4000`),
    check("decisions_until", sql`action <> 'limit' OR (until IS NOT NULL AND scopes IS NOT NULL)`),
  ],
);

/** A limit on one thing that a player does. It ends by itself: statements compare `until` with the current time. */
export const restrictions = sqliteTable(
  "restrictions",
  {
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    scope: text("scope", { enum: RESTRICTION_SCOPES }).notNull(),
    until: moment("until").notNull(),
    decisionId: text("decision_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.scope] }),
    index("restrictions_by_end").on(table.until),
    check("restrictions_scope", oneOf(table.scope, RESTRICTION_SCOPES)),
  ],
);

export const APPEAL_OUTCOMES = ["granted", "rejected"] as const;

/** A player's objection to a decision, at most one for each. Someone other than the decider answers it. */
export const appeals = sqliteTable(
  "appeals",
  {
    id: id(),
    decisionId: text("decision_id")
      .notNull()
      .unique()
      .references(() => decisions.id, { onDelete: "cascade" }),
    /** The player's words. */
    words: text("words").notNull(),
    createdAt: moment("created_at").notNull(),
    /** Null while it awaits an answer. */
    outcome: text("outcome", { enum: APPEAL_OUTCOMES }),
    /** The reasons for the outcome, which the player reads. */
    answer: text("answer"),
    /** The answering player; null for an operator at the command line. */
    answeredBy: text("answered_by"),
    /** The name of the person who answered it. */
    answerer: text("answerer"),
    answeredAt: moment("answered_at"),
  },
  (table) => [
    index("appeals_waiting").on(table.id).where(sql`outcome IS NULL`),
    check("appeals_words", sql`length(words) BETWEEN 1 AND 4000`),
    check("appeals_outcome", oneOf(table.outcome, APPEAL_OUTCOMES)),
    check("appeals_answer", sql`(outcome IS NULL) = (answer IS NULL) AND (outcome IS NULL) = (answered_at IS NULL)`),
  ],
);

/** A note on a case, by moderators for each other. */
export const caseNotes = sqliteTable(
  "case_notes",
  {
    id: id(),
    caseId: text("case_id")
      .notNull()
      .references(() => reportCases.id, { onDelete: "cascade" }),
    authorId: text("author_id"),
    /** The name of the person who wrote it. */
    author: text("author").notNull(),
    words: text("words").notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("case_notes_by_case").on(table.caseId, table.id),
    check("case_notes_words", sql`length(words) BETWEEN 1 AND 4000`),
  ],
);

/**
 * Every action of moderators, admins and operators, and who took it. Triggers refuse to change or remove an entry. It
 * has no foreign keys, so that it outlives its subjects.
 */
export const moderationLog = sqliteTable(
  "moderation_log",
  {
    id: id(),
    /** Null for an operator at the command line. */
    actorId: text("actor_id"),
    /** The actor's name at the time. */
    actor: text("actor").notNull(),
    action: text("action").$type<LogAction>().notNull(),
    caseId: text("case_id"),
    decisionId: text("decision_id"),
    playerId: text("player_id"),
    details: text("details", { mode: "json" }).$type<Record<string, string | number | boolean | null>>(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("moderation_log_by_player").on(table.playerId, sql`id DESC`).where(sql`player_id IS NOT NULL`),
    index("moderation_log_by_case").on(table.caseId, sql`id DESC`).where(sql`case_id IS NOT NULL`),
    check("moderation_log_action", sql`length(action) BETWEEN 1 AND 40`),
  ],
);

/**
 * The originals that hiding has overwritten, for `Restore`: the words, notes, name and picture of a player, the name of
 * a team, the name that a post gave its team's chat, the preview of a message. Hiding replaces them with neutral words,
 * so that no page, list or email needs a rule of its own. Players can't type their hidden words again, not even those
 * that they have replaced since. Once a player is shown again, the words are kept as `restored`, in case that decision
 * is undone.
 */
export const hiddenOriginals = sqliteTable(
  "hidden_originals",
  {
    kind: text("kind", { enum: ["player", "restored", "team", "post", "message"] }).notNull(),
    subjectId: text("subject_id").notNull(),
    original: text("original", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subjectId] }),
    index("hidden_originals_by_age").on(table.createdAt),
  ],
);

/**
 * Work that a transaction leaves undone: moving and deleting pictures and notifying open tabs, once a thing is hidden
 * or restored, an account is erased, or a picture is replaced or no longer needed; removing a suspended player from
 * teams and tournaments, and their posts from open lists; and ending organisers' roles across a block. The Worker does
 * it right after the change. The cron job does the rest, for example after a decision at the command line, which can
 * reach neither the bucket nor the rooms.
 */
export const followUps = sqliteTable(
  "hiding_follow_ups",
  {
    kind: text("kind", { enum: REPORT_KINDS }).notNull(),
    subjectId: text("subject_id").notNull(),
    /** The key of the picture to move or delete; empty for all other work. */
    picture: text("picture").notNull().default(""),
    createdAt: moment("created_at").notNull(),
    /**
     * When the work may begin, or be tried again; null for at once. A picture that is being uploaded waits until the
     * upload must be over. A post or tournament that a suspended or leaving player is about to leave waits until they
     * should have left.
     */
    dueAt: moment("due_at"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subjectId, table.picture] }),
    index("hiding_follow_ups_by_age").on(table.createdAt),
    check("hiding_follow_ups_kind", oneOf(table.kind, REPORT_KINDS)),
  ],
);

/**
 * Keyed hashes of the email address and the PUUID of an account that was erased during a suspension or ban, so that a
 * new account doesn't evade it.
 */
export const upheldSuspensions = sqliteTable(
  "upheld_suspensions",
  {
    hash: text("hash").primaryKey(),
    /** When the suspension ends; null for a ban. */
    until: moment("until"),
    decisionId: text("decision_id"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("upheld_suspensions_by_end").on(table.until).where(sql`until IS NOT NULL`),
    index("upheld_suspensions_by_decision").on(table.decisionId).where(sql`decision_id IS NOT NULL`),
  ],
);
