import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { decisions, reportCases, users } from "#db/schema";
import { transact } from "#db/statements";
import { noteReturn } from "~/features/follow-ups/shared/note.server";
import { isOpenCaseOf, openCase } from "~/features/reports/shared/open-case.server";
import { selectAnySubject } from "~/features/reports/shared/subjects.server";
import { outdateLoneTeams } from "~/features/tournaments/shared/lone-teams.server";
import { askReturned } from "~/features/tournaments/shared/tournament-news.server";
import { recordAuditIf } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { type Enqueuing, enqueueEmailTo } from "~/platform/email/outbox.server";
import { findDecidedCase } from "../case/queries.server";
import type { RuleKey } from "../community-rules";
import { type ModerationActor, recordInModerationLog } from "../shared/log.server";
import { undoneEmail } from "../statement/emails";
import { decideByCommand, selectRepeated } from "./command.server";
import { type DecisionOutcome, decide, last } from "./decide.server";
import { type DecidedCase, type NewDecision, NO_EVIDENCE } from "./decision";

const c = alias(reportCases, "c");
const u = alias(users, "u");
const s = sql.identifier("subject");

type CommandContext = Enqueuing & Pick<RequestContext, "origin">;

/** An operator's reasons for a suspension. */
interface Suspension {
  /** The player reads it. */
  reason: string;
  rule?: RuleKey | null;
  /** When it ends; omitted for a ban. */
  until?: Date | undefined;
}

/**
 * Suspends or bans a player by deciding their open case, or a new one. The cron's next run takes them out of teams and
 * tournaments, and tells open tabs. The same command a moment later changes nothing.
 */
export async function suspendAccount(
  context: CommandContext,
  playerId: string,
  { reason, rule = null, until }: Suspension,
  actor: ModerationActor,
): Promise<{ outcome: DecisionOutcome["outcome"] }> {
  const terms = { reason, rule, seen: null };
  const decision: NewDecision = until ? { action: "suspend", until, ...terms } : { action: "ban", ...terms };
  // In any case about the player, because the first try has closed its own.
  const isStanding = sql`${last.playerId} = ${playerId} AND ${last.undoneBy} IS NULL`;
  const repeated = selectRepeated(isStanding, actor, decision, context.now);
  const theCase = await openCaseOf(context, playerId, repeated);
  return theCase ? decideByCommand(context, actor, theCase, decision) : { outcome: "repeated" };
}

/**
 * Finds the open case about a player (not about something they wrote), or opens one without a report.
 * @param repeated `SELECT id` of the decision that the command repeats
 * @returns undefined if there is such a decision
 */
async function openCaseOf(
  { db, now }: Pick<CommandContext, "db" | "now">,
  playerId: string,
  repeated: SQL,
): Promise<DecidedCase | undefined> {
  const subject = { kind: "player", id: playerId } as const;
  // An account may have no profile.
  const source = sql`SELECT ${u.id} AS writer, coalesce(${s}.snapshot, '{}') AS snapshot, ${s}.picture AS picture
    FROM ${users} AS ${u} LEFT JOIN (${selectAnySubject(subject)}) AS ${s} ON 1
    WHERE ${u.id} = ${playerId} AND NOT EXISTS (${repeated})`;
  const { same, found } = await transact(db, {
    same: db.all<{ id: string }>(repeated),
    open: openCase(db, subject, source, now),
    found: db.select({ id: c.id }).from(c).where(isOpenCaseOf(c, subject)),
  });
  if (same.length > 0) return undefined;
  const [open] = found;
  const theCase = open && (await findDecidedCase(db, open.id, null));
  if (!theCase) throw new Error(`There is no account ${playerId}.`);
  return theCase;
}

/**
 * Lifts a player's suspension by undoing every decision behind it. Their closed posts stay closed.
 * @returns false if someone has suspended the player again in the meantime: that decision stands
 * @throws Error if a decision can't be undone, in which case the player stays suspended
 */
export async function unsuspendAccount(
  context: CommandContext,
  playerId: string,
  reason: string,
  actor: ModerationActor,
): Promise<boolean> {
  const { db, now, origin } = context;
  const { id, caseId, kind, subjectId, isFlagged } = decisions;
  const listStanding = () =>
    db
      .select({ id, caseId, kind, subjectId, isFlagged })
      .from(decisions)
      .where(
        and(
          eq(decisions.playerId, playerId),
          inArray(decisions.action, ["suspend", "ban"]),
          isNull(decisions.undoneBy),
          sql`(${decisions.until} IS NULL OR ${decisions.until} > ${now.getTime()})`,
        ),
      );
  for (const one of await listStanding()) {
    const theCase = { ...one, id: one.caseId, playerId, ...NO_EVIDENCE };
    const undoing = { action: "undo", undoes: one.id, rule: null, reason, seen: null } as const;
    const { outcome } = await decide(context, actor, theCase, undoing);
    // Someone else may have just undone it.
    if (outcome !== "decided" && outcome !== "undone-already") {
      throw new Error(`The decision ${one.id} can't be undone: ${outcome}.`);
    }
  }
  // A suspension from before decisions were recorded. A decision that someone has just made stands.
  const isOlder = sql`EXISTS (SELECT 1 FROM ${users} AS ${u} WHERE ${u.id} = ${playerId}
    AND ${u.suspendedAt} IS NOT NULL) AND NOT EXISTS ${listStanding()}`;
  const { standing } = await transact(db, {
    audit: recordAuditIf(db, isOlder, { userId: playerId, actor: "operator", action: "unsuspended" }, now),
    log: recordInModerationLog(db, actor, { action: "unsuspended", playerId }, now, isOlder),
    email: enqueueEmailTo(
      context,
      sql`SELECT ${users.email} FROM ${users} WHERE ${users.id} = ${playerId} AND ${isOlder}`,
      undoneEmail("suspension", "player", reason, origin),
    ),
    teams: outdateLoneTeams(db, playerId, now, isOlder),
    organisers: noteReturn(db, playerId, now, isOlder),
    unsuspend: db
      .update(users)
      .set({ suspendedAt: null, suspendedUntil: null, suspendedReason: null })
      .where(and(eq(users.id, playerId), isOlder)),
    reports: askReturned(db, playerId, now),
    standing: listStanding(),
  });
  return standing.length === 0;
}
