import { desc } from "drizzle-orm";
import { outbox } from "#db/schema";
import type { RequestContext } from "../context";
import { openTexts } from "./outbox.server";

/** Lists the newest 50 emails of the outbox, for the local mailbox. @throws Error as `openTexts` does */
export async function listEmails({ db, env }: RequestContext) {
  const rows = await db.select().from(outbox).orderBy(desc(outbox.id)).limit(50);
  return rows.map((row) => openTexts(env, row));
}
