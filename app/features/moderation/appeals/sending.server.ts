import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "#db/ids";
import { appeals, decisions } from "#db/schema";
import { columnsOf, decisionActions } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { APPEALABLE_ACTIONS, isAppealable } from "../shared/statement";
import { APPEAL_PERIOD, type AppealRefusal } from "./rules";

/**
 * Appeals a decision, once. Sending the same text again changes nothing.
 * @param playerId the player the decision is about
 * @returns `missing` if the decision isn't about this player, or its action allows no appeal
 */
export async function sendAppeal(
  { db, now }: Pick<RequestContext, "db" | "now">,
  playerId: string,
  decisionId: string,
  words: string,
): Promise<"sent" | AppealRefusal | "missing"> {
  const at = now.getTime();
  const { found } = await transact(db, {
    add: db.run(sql`
      INSERT INTO ${appeals} ${columnsOf(appeals, "id", "decisionId", "words", "createdAt")}
      SELECT ${uuidv7(at)}, ${decisions.id}, ${words}, ${at} FROM ${decisions}
      WHERE ${decisions.id} = ${decisionId} AND ${decisions.playerId} = ${playerId}
        AND ${decisions.action} IN (${decisionActions(...APPEALABLE_ACTIONS)}) AND ${decisions.undoneBy} IS NULL
        AND ${decisions.createdAt} > ${at - APPEAL_PERIOD}
      ON CONFLICT DO NOTHING`),
    found: db
      .select({ action: decisions.action, undoneBy: decisions.undoneBy, words: appeals.words })
      .from(decisions)
      .leftJoin(appeals, eq(appeals.decisionId, decisions.id))
      .where(and(eq(decisions.id, decisionId), eq(decisions.playerId, playerId))),
  });
  const [decision] = found;
  if (!decision || !isAppealable(decision.action)) return "missing";
  if (decision.words !== null) return decision.words === words ? "sent" : "appealed";
  return decision.undoneBy === null ? "late" : "undone";
}
