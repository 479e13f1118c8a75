import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { hiddenOriginals } from "#db/schema";
import { hiddenKey } from "~/features/players/shared/hidden-picture.server";
import { DAY } from "~/platform/dates/durations";

const old = alias(hiddenOriginals, "old");

/** How long `Restore` can bring hidden things back, in milliseconds: 180 days, as long as appeals are possible. */
const ORIGINALS_KEPT = 180 * DAY;

/**
 * Deletes the originals of things that were hidden 180 days ago and not restored; called by the cron job. The things
 * stay hidden.
 * @param limit the most originals in one run
 * @returns the keys of their pictures in the bucket
 */
export async function deleteOldOriginals(db: Database, now: Date, limit: number): Promise<string[]> {
  const rows = await db.all<{ avatarId: string | null }>(sql`
    DELETE FROM ${hiddenOriginals} WHERE (${hiddenOriginals.kind}, ${hiddenOriginals.subjectId}) IN (
      SELECT ${old.kind}, ${old.subjectId} FROM ${hiddenOriginals} AS ${old}
      WHERE ${old.createdAt} <= ${now.getTime() - ORIGINALS_KEPT} ORDER BY ${old.createdAt} LIMIT ${limit}
    ) RETURNING json_extract(${hiddenOriginals.original}, '$.avatarId') AS avatarId`);
  return rows.flatMap(({ avatarId }) => (avatarId === null ? [] : [hiddenKey(avatarId)]));
}
