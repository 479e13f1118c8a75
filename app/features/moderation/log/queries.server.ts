import { desc, eq, or } from "drizzle-orm";
import type { Database } from "#db/client";
import { moderationLog } from "#db/schema";

/**
 * Lists entries of the moderation log, newest first.
 * @param about the id of a player or of a case; all entries if left out
 */
export const listModerationLog = (db: Database, about: string | undefined, limit: number) =>
  db
    .select()
    .from(moderationLog)
    .where(about === undefined ? undefined : or(eq(moderationLog.playerId, about), eq(moderationLog.caseId, about)))
    .orderBy(desc(moderationLog.id))
    .limit(limit);
