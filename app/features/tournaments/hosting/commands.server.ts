import { and, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { tournamentMatches, tournamentPlayers, tournaments } from "#db/schema";
import { bare } from "#db/sql";
import { insertIf, transact } from "#db/statements";
import { hasBlocked } from "~/features/blocks/shared/blocks.server";
import { raiseFlags, type Writing } from "~/features/flags/shared/raise.server";
import { isLimited, type Limited, limitedBy, readLimit } from "~/features/moderation/shared/limits.server";
import { notify } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import type { RequestContext } from "~/platform/context";
import { configuredLimit } from "~/platform/limits/limits.server";
import { moveUp } from "../registration/waiting-list.server";
import { hostedBy, organisedBy, selectOrganisers } from "../shared/access.server";
import { type ActorStamp, type EventStamp, logEvent } from "../shared/changes.server";
import { isListedHost, updateListing } from "../shared/listing.server";
import { resolveCalls, resolveCheckInCalls, selectConcerned } from "../shared/tournament-news.server";
import { changedFields } from "./edit";
import type { TournamentFields } from "./schema";

const cancelledRow = alias(tournaments, "cancelled");
const openRow = alias(tournaments, "open_row");
const playerRow = alias(tournamentPlayers, "player");

/**
 * Creates a tournament, unless the host has too many open. The statement itself counts them, so the limit also holds
 * for simultaneous requests. The id comes from the form, so submitting the form again finds the tournament created by
 * the first submission.
 * @returns `different` if the form has already created a tournament, whose fields aren't these; `used` if the id
 *   belongs to another player's tournament; `full` if the host has too many open
 */
export async function createTournament(
  writing: Writing & Pick<RequestContext, "env">,
  { id, ...fields }: TournamentFields & { id: string },
  userId: string,
): Promise<"created" | "different" | "used" | "full" | Limited> {
  const { db, env, now } = writing;
  const needsConfirmedEmail = env.REQUIRE_CONFIRMED_EMAIL;
  const atOnce = sql`iif(${isListedHost(sql`${userId}`, needsConfirmedEmail)},
    ${configuredLimit(env, "openTournaments").times}, ${configuredLimit(env, "openUnlistedTournaments").times})`;
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${id})`;
  // Literals, so that SQLite uses the partial index.
  const open = sql`(SELECT count(*) FROM ${tournaments} AS ${openRow}
    WHERE ${openRow.userId} = ${userId} AND ${openRow.state} = 'open')`;
  const { found, limits } = await transact(db, {
    host: insertIf(
      db,
      tournaments,
      { ...fields, id, userId, isListed: false, createdAt: now, updatedAt: now },
      sql`${isNew} AND ${open} < ${atOnce} AND NOT ${isLimited(userId, "hosting", now.getTime())}`,
    ),
    event: logEvent(db, { tournamentId: id, userId, now }, "hosted"),
    flag: flagWords(writing, id, fields, userId),
    listing: updateListing(db, userId, needsConfirmedEmail),
    found: db.select().from(tournaments).where(eq(tournaments.id, id)),
    limits: readLimit(db, userId, "hosting", now.getTime()),
  });
  const [stored] = found;
  if (stored?.userId === userId) return changedFields(stored, fields) === "" ? "created" : "different";
  return limitedBy(limits) ?? (stored ? "used" : "full");
}

/** Builds the statements that flag a tournament's texts, if they are among the written fields. */
const flagWords = (
  writing: Writing,
  id: string,
  { title, description, rules }: Partial<TournamentFields>,
  userId: string,
) => raiseFlags(writing, { kind: "tournament", id }, { title, description, rules }, userId);

/**
 * The values that an edit sets, and a condition that must hold when it is stored, such as that no team has registered
 * in the meantime.
 */
interface Edit {
  set: Partial<TournamentFields>;
  condition: SQL;
  /** Names of the changed fields, for the log. */
  changed: string;
  /** Whether check-in was open and, with these values, no longer is. */
  closesCheckIn: boolean;
}

/** True if an edit leaves a tournament's texts unchanged. */
function keepsWords({ title, description, rules }: Partial<TournamentFields>): SQL {
  const same = Object.entries({ title, description, rules }).map(([name, value]) =>
    value === undefined ? sql`1` : sql`${tournaments[name as "title"]} IS ${value}`,
  );
  return sql`(${sql.join(same, sql` AND `)})`;
}

/**
 * Edits a tournament, and moves waiting teams up if it now has more spots. An organiser whose hosting is limited can
 * change everything except its texts: its players shouldn't suffer, but new texts would amount to a new tournament.
 * @returns the players whose unread news has changed; null if nothing changed because `condition` no longer held
 */
export async function editTournament(
  writing: Omit<Writing, "now">,
  { set, condition, changed, closesCheckIn }: Edit,
  stamp: ActorStamp,
): Promise<string[] | Limited | null> {
  const { db } = writing;
  const { tournamentId, userId, now } = stamp;
  const mayReword = sql`(${keepsWords(set)} OR NOT ${isLimited(userId, "hosting", now.getTime())})`;
  const { isReworded, limits, edited, movedUp, resolved } = await transact(db, {
    isReworded: db.all(sql`SELECT 1 FROM ${tournaments} WHERE ${tournaments.id} = ${tournamentId}
      AND NOT ${keepsWords(set)}`),
    limits: readLimit(db, userId, "hosting", now.getTime()),
    edited: db
      .update(tournaments)
      .set({
        ...set,
        // If check-in now opens at another time, its opening is announced again.
        ...(set.registrationDeadline && {
          checkInToldAt: sql`iif(registration_deadline = ${set.registrationDeadline.getTime()},
            check_in_told_at, NULL)`,
        }),
        ...(set.tournamentDate && { checkInToldAt: null, startToldAt: null }),
        version: sql`version + 1`,
        updatedAt: now,
      })
      .where(and(eq(tournaments.id, tournamentId), organisedBy(userId), condition, mayReword))
      .returning({ id: tournaments.id }),
    event: logEvent(db, stamp, "edited", { fields: changed }),
    flag: flagWords({ ...writing, now }, tournamentId, set, userId),
    movedUp: moveUp(db, tournamentId, now),
    resolved: closesCheckIn ? resolveCheckInCalls(db, tournamentId, now.getTime()) : undefined,
  });
  if (edited.length > 0) return [...movedUp.notified, ...(resolved ?? [])].map((player) => player.userId);
  return (isReworded.length > 0 && limitedBy(limits)) || null;
}

/**
 * Builds the statements that cancel a tournament, before or during play, and notify its players and organisers. A
 * hidden tournament can also be cancelled, but nobody is notified. The statements change nothing once a tournament is
 * over.
 * @param may an additional condition on `tournaments`
 * @returns the statements: `cancelled` yields the tournament if it was cancelled, `notified` the notified players,
 *   and `tooLate` the players whose calls to act in it were marked as read
 */
export function buildCancellation(db: Database, reason: string, stamp: EventStamp, may: SQL) {
  const { tournamentId, userId, now } = stamp;
  const moment = now.getTime();
  return {
    cancelled: db
      .update(tournaments)
      .set({ state: "cancelled", cancelReason: reason, endedAt: now, version: sql`version + 1`, updatedAt: now })
      .where(and(eq(tournaments.id, tournamentId), may, sql`tournaments.state IN ('open', 'running')`))
      .returning({ id: tournaments.id }),
    event: logEvent(db, stamp, userId ? "cancelled" : "was-cancelled", { reason }),
    // Leaves no report to be confirmed and no overdue match to be announced, so that the cron job doesn't keep visiting
    // the matches.
    matches: db.run(sql`
      UPDATE ${tournamentMatches} SET ${bare(tournamentMatches.confirmBy)} = NULL,
        ${bare(tournamentMatches.overdueToldAt)} = coalesce(${tournamentMatches.overdueToldAt}, ${moment})
      WHERE ${tournamentMatches.tournamentId} = ${tournamentId}
        AND ${tournamentMatches.state} IN ('ready', 'reported') AND changes() > 0`),
    notified: notify(db, {
      kind: "tournament-cancelled",
      subject: subjectOf("tournament", tournamentId),
      data: sql`json_object('tournament', to_tell.title, 'reason', iif(
        ${hasBlocked(sql`to_tell.user_id`, sql`${userId}`)}, NULL, ${reason}
      ))`,
      recipients: sql`
        SELECT concerned.user_id AS user_id, ${cancelledRow.title} AS title
        FROM ${tournaments} AS ${cancelledRow}
        JOIN (
          SELECT ${tournamentPlayers.userId} FROM ${tournamentPlayers}
            WHERE ${tournamentPlayers.tournamentId} = ${tournamentId}
          UNION ALL SELECT organiser.userId FROM (${selectOrganisers(sql`${tournamentId}`)}) AS organiser
          WHERE NOT EXISTS (
            SELECT 1 FROM ${tournamentPlayers} AS ${playerRow}
            WHERE ${playerRow.tournamentId} = ${tournamentId} AND ${playerRow.userId} = organiser.userId
          )
        ) AS concerned
        WHERE ${cancelledRow.id} = ${tournamentId} AND ${cancelledRow.state} = 'cancelled'
          AND ${cancelledRow.endedAt} = ${moment} AND ${cancelledRow.hiddenAt} IS NULL
          AND concerned.user_id IS NOT ${userId}`,
      now: moment,
    }),
    tooLate: resolveCalls(
      db,
      tournamentId,
      moment,
      sql`EXISTS (SELECT 1 FROM ${tournaments} AS ${cancelledRow}
        WHERE ${cancelledRow.id} = ${tournamentId} AND ${cancelledRow.state} = 'cancelled')`,
    ),
  };
}

/**
 * Cancels a tournament. Cancelling it again for the same reason has no further effect.
 * @returns everyone concerned, whose unread news may have changed, even if an earlier transaction has cancelled it and
 *   its response was lost; null if it was already over or this player may not cancel it
 */
export async function cancelTournament(writing: Writing, reason: string, stamp: ActorStamp): Promise<string[] | null> {
  const { db } = writing;
  const { tournamentId, userId } = stamp;
  const { concerned } = await transact(db, {
    cancellation: buildCancellation(db, reason, stamp, hostedBy(userId)),
    flag: raiseFlags(writing, { kind: "tournament", id: tournamentId }, { cancelReason: reason }, userId),
    concerned: db.all<{ userId: string }>(sql`
      SELECT concerned.user_id AS userId FROM ${tournaments}
      CROSS JOIN (${selectConcerned(tournamentId)}) AS concerned
      WHERE ${tournaments.id} = ${tournamentId} AND ${tournaments.state} = 'cancelled'
        AND ${tournaments.cancelReason} = ${reason} AND ${hostedBy(userId)}`),
  });
  return concerned.length > 0 ? concerned.map((player) => player.userId) : null;
}
