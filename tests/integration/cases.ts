import { asc, desc, eq } from "drizzle-orm";
import { type DecisionOutcome, decide } from "../../app/features/moderation/decisions/decide.server";
import type { NewDecision } from "../../app/features/moderation/decisions/decision";
import type { ModerationActor } from "../../app/features/moderation/shared/log.server";
import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { decisions, moderationLog, reportCases, restrictions } from "../../db/schema";
import type { TestApp } from "../support/app";
import { LOCAL_KEYS } from "../support/mailbox";
import { DAY, type Player } from "./players";

/** An operator who decides cases in tests. */
export const OPERATOR: ModerationActor = { operator: "Kim" };

/** Test helpers for the cases of an app. */
export function casesIn(app: TestApp) {
  let added = 0;
  /** Adds an open case, by default about the player themselves. Its id sorts after those of earlier cases. */
  async function newCase(
    player: Player,
    row: Partial<typeof reportCases.$inferInsert> = {},
  ): Promise<typeof reportCases.$inferSelect> {
    const now = new Date();
    const values = {
      ...{
        id: uuidv7(now.getTime(), added++),
        kind: "player",
        subjectId: player.id,
        playerId: player.id,
        reportCount: 1,
      },
      ...{ snapshot: { author: "As reported" }, createdAt: now, updatedAt: now },
      ...row,
    } as typeof reportCases.$inferInsert;
    const [stored] = await app.db.insert(reportCases).values(values).returning();
    return stored as typeof reportCases.$inferSelect;
  }

  /** The context that the Worker passes to commands. */
  const context = () => ({
    db: openDatabase({ url: app.libsqlUrl, authToken: app.libsqlAuthToken }).db,
    env: LOCAL_KEYS,
    now: new Date(),
    origin: app.url,
  });

  /** Decides a case as its page does, with defaults for what a test doesn't care about. */
  const decideCase = (
    theCase: typeof reportCases.$inferSelect,
    decision: Partial<NewDecision> & Pick<NewDecision, "action">,
    actor: ModerationActor = OPERATOR,
    now = new Date(),
  ): Promise<DecisionOutcome> =>
    decide(
      { ...context(), now },
      actor,
      { ...theCase, later: [] },
      {
        ...{ rule: "respect", reason: "Rude words", seen: null },
        ...(decision.action === "limit" && { scopes: ["posting"] as const }),
        ...((decision.action === "limit" || decision.action === "suspend") && { until: new Date(now.getTime() + DAY) }),
        ...decision,
      },
    );

  const caseOf = async (id: string) =>
    (await app.db.select().from(reportCases).where(eq(reportCases.id, id)).get()) as typeof reportCases.$inferSelect;

  /** A case's decisions, the newest first. */
  const decisionsOf = (id: string) =>
    app.db.select().from(decisions).where(eq(decisions.caseId, id)).orderBy(desc(decisions.id));

  /** Lists the actions that the moderation log records for a case, oldest first, each with its actor. */
  const loggedOf = async (id: string) =>
    (await app.db.select().from(moderationLog).where(eq(moderationLog.caseId, id)).orderBy(asc(moderationLog.id))).map(
      ({ actor, action }) => `${actor}: ${action}`,
    );

  /** A player's limits, by scope. */
  const limitsOf = async ({ id }: Player) =>
    Object.fromEntries(
      (await app.db.select().from(restrictions).where(eq(restrictions.userId, id))).map((row) => [
        row.scope,
        row.until,
      ]),
    );

  return { newCase, decideCase, context, caseOf, decisionsOf, loggedOf, limitsOf };
}
