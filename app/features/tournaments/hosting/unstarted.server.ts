import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournaments } from "#db/schema";
import { bare } from "#db/sql";
import { transact } from "#db/statements";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { DAY } from "~/platform/dates/durations";
import { selectOrganisers } from "../shared/access.server";
import { buildCancellation } from "./commands.server";

const begins = alias(tournaments, "begins");
const t = alias(tournaments, "t");

/**
 * The time that a tournament waits to be started once its organisers have been told that it is due, in milliseconds: a
 * week. They are told on its date, and again if it was hidden and is shown again.
 */
const MAX_DELAY = 7 * DAY;

/**
 * Builds the query for open tournaments, except hidden ones, whose date is before a moment. It uses the index of open
 * ones.
 */
const unstarted = (moment: number) => sql`
  FROM ${tournaments} AS ${t}
  WHERE ${t.state} = 'open' AND ${t.registrationDeadline} < ${moment} AND +${t.tournamentDate} <= ${moment}
    AND ${t.hiddenAt} IS NULL`;

/**
 * Notifies organisers, once per tournament, that the tournament is due to start.
 * @param limit maximum number of tournaments per run; the rest wait for the next run
 * @returns the notified players
 */
export async function notifyUnstarted(db: Database, now: Date, limit: number): Promise<{ userId: string }[]> {
  const moment = now.getTime();
  const due = sql`
    SELECT ${t.id} ${unstarted(moment)} AND ${t.startToldAt} IS NULL ORDER BY ${t.registrationDeadline}, ${t.id}
      LIMIT ${limit}`;
  const { notified } = await transact(db, {
    notified: notify(db, {
      kind: "tournament-due",
      subject: subjectSql("tournament", sql`to_tell.tournament_id`),
      data: sql`json_object('tournament', to_tell.title)`,
      recipients: sql`
        SELECT organiser.userId AS user_id, ${begins.id} AS tournament_id, ${begins.title} AS title
        FROM ${tournaments} AS ${begins}
        JOIN (${selectOrganisers(due)}) AS organiser ON organiser.tournamentId = ${begins.id}`,
      now: moment,
    }),
    note: db.run(sql`UPDATE ${tournaments} SET ${bare(tournaments.startToldAt)} = ${moment}
      WHERE ${tournaments.id} IN (${due})`),
  });
  return notified;
}

/**
 * Cancels tournaments that nobody has started within a week of their date (`MAX_DELAY`), so that players don't wait
 * forever.
 * @param limit maximum number of tournaments per run
 * @returns the tournaments that were due, all of them over now or started in the meantime, unless their transaction
 *   failed; the players whose unread news has changed; and the first error, if any. A failed transaction may have been
 *   stored all the same if only its response was lost. Its tournament is then listed, too, because it won't be due in
 *   the next run.
 */
export async function cancelUnstarted(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ tournamentIds: string[]; notified: { userId: string }[]; failure: unknown }> {
  const weekAgo = now.getTime() - MAX_DELAY;
  const abandoned = sql`${unstarted(weekAgo)} AND ${t.startToldAt} <= ${weekAgo}`;
  const due = await db.all<{ id: string }>(sql`SELECT ${t.id} AS id ${abandoned} LIMIT ${limit}`);
  const outcomes = await Promise.allSettled(
    due.map(({ id: tournamentId }) =>
      transact(
        db,
        buildCancellation(
          db,
          "Nobody started it within a week of its date.",
          { tournamentId, userId: null, now },
          sql`${tournaments.id} IN (SELECT ${t.id} ${abandoned})`,
        ),
      ),
    ),
  );
  return {
    tournamentIds: due.map(({ id }) => id),
    notified: outcomes.flatMap((one) =>
      one.status === "fulfilled" ? [...one.value.notified, ...one.value.tooLate] : [],
    ),
    failure: outcomes.find((one) => one.status === "rejected")?.reason,
  };
}
