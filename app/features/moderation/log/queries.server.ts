import { and, desc, eq, lt, or } from "drizzle-orm";
import type { Database } from "#db/client";
import { moderationLog } from "#db/schema";

/**
 * Lists entries of the moderation log, newest first.
 * @param filters.about the id of a player or a case; omitted for all entries
 * @param filters.by the recorded name of the actor, such as "operator Kim"
 * @param filters.before the id of an entry; only older entries are listed
 */
export const listModerationLog = (
  db: Database,
  { about, by, before }: { about?: string | undefined; by?: string | undefined; before?: string | undefined },
  limit: number,
) =>
  db
    .select()
    .from(moderationLog)
    .where(
      and(
        about === undefined ? undefined : or(eq(moderationLog.playerId, about), eq(moderationLog.caseId, about)),
        by === undefined ? undefined : eq(moderationLog.actor, by),
        before === undefined ? undefined : lt(moderationLog.id, before),
      ),
    )
    .orderBy(desc(moderationLog.id))
    .limit(limit);
