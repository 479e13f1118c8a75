import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { restrictions, users } from "#db/schema";
import { transact } from "#db/statements";
import { noteReturn } from "~/features/follow-ups/shared/note.server";
import { outdateLoneTeams } from "~/features/tournaments/shared/lone-teams.server";
import { askReturned } from "~/features/tournaments/shared/tournament-news.server";
import { recordAuditOf } from "~/platform/audit.server";
import { applySuspension } from "./effects.server";

const u = alias(users, "u");

/**
 * Lifts expired suspensions and deletes expired limits; called by the cron job. Even before the job has run, players
 * can use the site again on time, and limits end on time, because sessions and commands compare the end with the
 * current time. Lists and public pages check only the mark (`isMarkedSuspended`), so they leave a player out until the
 * job has run.
 * @param limit maximum number of suspensions, and of limits, per run
 */
export async function endDueDecisions(db: Database, now: Date, limit: number): Promise<void> {
  const at = now.getTime();
  const [due] = await Promise.all([
    db.all<{ id: string }>(sql`SELECT ${u.id} AS id FROM ${users} AS ${u}
      WHERE ${u.suspendedUntil} <= ${at} LIMIT ${limit}`),
    db.run(sql`DELETE FROM ${restrictions} WHERE (${restrictions.userId}, ${restrictions.scope}) IN (
      SELECT ended.user_id, ended.scope FROM (
        SELECT ${restrictions.userId}, ${restrictions.scope} FROM ${restrictions}
        WHERE ${restrictions.until} <= ${at} LIMIT ${limit}
      ) AS ended
    )`),
  ]);
  await Promise.all(
    due.map(({ id }) => {
      // Another decision may still stand, or someone may have banned the player in the meantime.
      const isOver = sql`${users.suspendedUntil} <= ${at}`;
      const lifted = sql`SELECT ${u.id} AS user_id FROM ${users} AS ${u}
        WHERE ${u.id} = ${id} AND ${u.suspendedUntil} <= ${at}`;
      return transact(db, {
        audit: recordAuditOf(db, lifted, { actor: "system", action: "unsuspended" }, now),
        teams: outdateLoneTeams(db, id, now, sql`EXISTS (${lifted})`),
        organisers: noteReturn(db, id, now, sql`EXISTS (${lifted})`),
        lift: applySuspension(db, id, now, isOver),
        reports: askReturned(db, id, now),
      });
    }),
  );
}
