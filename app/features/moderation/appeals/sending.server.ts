import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "#db/ids";
import { appeals, decisions } from "#db/schema";
import { columnsOf, decisionActions } from "#db/sql";
import { transact } from "#db/statements";
import type { RequestContext } from "~/platform/context";
import { APPEALABLE_ACTIONS } from "../shared/statement";
import { APPEAL_PERIOD } from "./rules";

/**
 * Appeals a decision, once. Sending the same text again changes nothing.
 * @param playerId the player the decision is about
 * @returns `appealed` if there is another appeal already; `missing` if the decision can't be appealed: it isn't about
 *   this player, its action allows no appeal, it was undone, or it is more than six months old
 */
export async function sendAppeal(
  { db, now }: Pick<RequestContext, "db" | "now">,
  playerId: string,
  decisionId: string,
  words: string,
): Promise<"sent" | "appealed" | "missing"> {
  const at = now.getTime();
  const { stored } = await transact(db, {
    add: db.run(sql`
      INSERT INTO ${appeals} ${columnsOf(appeals, "id", "decisionId", "words", "createdAt")}
      SELECT ${uuidv7(at)}, ${decisions.id}, ${words}, ${at} FROM ${decisions}
      WHERE ${decisions.id} = ${decisionId} AND ${decisions.playerId} = ${playerId}
        AND ${decisions.action} IN (${decisionActions(...APPEALABLE_ACTIONS)}) AND ${decisions.undoneBy} IS NULL
        AND ${decisions.createdAt} > ${at - APPEAL_PERIOD}
      ON CONFLICT DO NOTHING`),
    stored: db
      .select({ words: appeals.words })
      .from(appeals)
      .innerJoin(decisions, eq(decisions.id, appeals.decisionId))
      .where(sql`${appeals.decisionId} = ${decisionId} AND ${decisions.playerId} = ${playerId}`),
  });
  const [appeal] = stored;
  if (!appeal) return "missing";
  return appeal.words === words ? "sent" : "appealed";
}
