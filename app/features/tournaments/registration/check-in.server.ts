import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#db/client";
import { notifications, profiles, tournamentPlayers, tournaments, tournamentTeams } from "#db/schema";
import { bare, newsKinds } from "#db/sql";
import { transact } from "#db/statements";
import { notify, resolveOutdated } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { subjectSql } from "~/features/notifications/shared/subjects.server";
import { nameOf } from "~/features/players/shared/name.server";
import { DAY } from "~/platform/dates/durations";
import { organisedBy } from "../shared/access.server";
import { bumpVersion, detailsOfTeam, logEvent } from "../shared/changes.server";
import { areAllEligible, checkInOpensAtOfT, countStarters } from "./conditions.server";
import type { IneligiblePlayer } from "./refusals";
import { type Eligibility, readObstacle } from "./register.server";

const eligible = alias(profiles, "eligible");
const mate = alias(tournamentPlayers, "mate");
const me = alias(tournamentPlayers, "me");
const playerRow = alias(tournamentPlayers, "player");
const plays = alias(tournamentPlayers, "plays");
const t = alias(tournaments, "t");
const team = alias(tournamentTeams, "team");

type CheckInOutcome =
  /** `answered` are the team's players: their calls to check in are marked as read. */
  | { outcome: "checked-in"; team: string; isWaiting: boolean; answered: string[] }
  /** No such tournament, or it is hidden from the player. */
  | { outcome: "missing" }
  /** It is hidden, and the player organises it. */
  | { outcome: "hidden" }
  /** The player is in no team of the tournament. */
  | { outcome: "gone" }
  | { outcome: "early" | "not-open" }
  | { outcome: "incomplete"; missing: number }
  /** Some of the starters aren't currently eligible. */
  | { outcome: "ineligible"; players: [IneligiblePlayer, ...IneligiblePlayer[]]; isSolo: boolean };

/**
 * Checks a player's team in. Any of its players may do so, from the opening of check-in until the tournament starts, as
 * long as all of its starters are still eligible. Waiting teams may also check in: at the start they take the spots of
 * teams that didn't. The news that check-in is open is marked as read for the whole team. Checking in twice has no
 * further effect.
 */
export async function checkIn(
  db: Database,
  { tournamentId, userId }: { tournamentId: string; userId: string },
  now: number,
): Promise<CheckInOutcome> {
  const own = sql`
    FROM ${tournamentPlayers} AS ${me} JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${me.teamId}
    JOIN ${tournaments} AS ${t} ON ${t.id} = ${team.tournamentId}
    WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId} AND ${t.hiddenAt} IS NULL`;
  const teamId = sql`(SELECT ${me.teamId} FROM ${tournamentPlayers} AS ${me}
    WHERE ${me.tournamentId} = ${tournamentId} AND ${me.userId} = ${userId})`;
  const justNow = sql`EXISTS (SELECT 1 ${own} AND ${team.checkedInAt} = ${now})`;
  const { found, players } = await transact(db, {
    checkIn: db.run(sql`
      UPDATE ${tournamentTeams} SET ${bare(tournamentTeams.checkedInAt)} = ${now}
      WHERE ${tournamentTeams.id} = ${teamId} AND ${tournamentTeams.checkedInAt} IS NULL
        AND ${tournamentTeams.state} IN ('entered', 'waiting') AND EXISTS (
        SELECT 1 ${own} AND ${t.state} = 'open' AND ${t.checkInMinutes} > 0
          AND ${checkInOpensAtOfT} <= ${now} AND ${countStarters(sql`${team.id}`)} >= ${t.teamSize}
          AND ${areAllEligible(sql`${team.id}`)}
      )`),
    version: bumpVersion(db, tournamentId, justNow, now),
    event: logEvent(
      db,
      { tournamentId, userId, now: new Date(now) },
      "team-checked-in",
      detailsOfTeam(teamId),
      justNow,
    ),
    answered: resolveOutdated(
      db,
      sql`${notifications.kind} = ${newsKinds("tournament-check-in")}
        AND ${notifications.subject} = ${subjectOf("tournament", tournamentId)} AND ${notifications.userId} IN (
          SELECT ${mate.userId} FROM ${tournamentPlayers} AS ${mate}
          JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${mate.teamId}
          WHERE ${mate.teamId} = ${teamId} AND ${team.checkedInAt} IS NOT NULL
        )`,
      now,
    ),
    found: db.all<CheckInRow>(sql`
      SELECT ${team.name} AS team, ${team.state} AS teamState, ${team.checkedInAt} AS checkedInAt, ${t.state} AS state,
        ${t.checkInMinutes} AS minutes, ${checkInOpensAtOfT} AS opensAt, ${t.hiddenAt} IS NOT NULL AS isHidden,
        ${t.teamSize} AS teamSize,
          ${t.teamSize} - ${countStarters(sql`${team.id}`)} AS missing, ${t.minRank} AS minRank,
        ${t.maxRank} AS maxRank
      FROM ${tournaments} AS ${t}
      LEFT JOIN ${tournamentPlayers} AS ${me} ON ${me.tournamentId} = ${t.id} AND ${me.userId} = ${userId}
      LEFT JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${me.teamId}
      WHERE ${t.id} = ${tournamentId} AND (${t.hiddenAt} IS NULL OR ${organisedBy(userId, t)})`),
    players: db.all<PlayerRow>(sql`
      SELECT ${plays.userId} AS userId, ${plays.isSubstitute} AS isSubstitute,
        ${nameOf(sql`${plays.userId}`)} AS name, ${eligible.riotVerifiedAt} AS verifiedAt,
        ${eligible.currentRank} AS rank
      FROM ${tournamentPlayers} AS ${plays} LEFT JOIN ${profiles} AS ${eligible} ON ${eligible.userId} = ${plays.userId}
      WHERE ${plays.teamId} = ${teamId}`),
  });
  const [row] = found;
  if (!row) return { outcome: "missing" };
  if (row.team === null) return { outcome: "gone" };
  if (row.isHidden) return { outcome: "hidden" };
  if (row.state !== "open" || row.teamState === "absent" || row.minutes === 0) return { outcome: "not-open" };
  if (row.checkedInAt !== null) {
    // All players, not only those whose calls this transaction marked: the response to an earlier one may have been
    // lost.
    const answered = players.map((one) => one.userId);
    return { outcome: "checked-in", team: row.team, isWaiting: row.teamState === "waiting", answered };
  }
  if (now < row.opensAt) return { outcome: "early" };
  if (row.missing > 0) return { outcome: "incomplete", missing: row.missing };
  const ineligible = players.flatMap(({ name, isSubstitute, ...player }): IneligiblePlayer[] => {
    const obstacle = isSubstitute ? null : readObstacle({ ...row, ...player });
    return obstacle ? [{ name, ...obstacle }] : [];
  });
  // Every other reason has been ruled out, so at least one player is ineligible.
  return {
    outcome: "ineligible",
    players: ineligible as [IneligiblePlayer, ...IneligiblePlayer[]],
    isSolo: row.teamSize === 1,
  };
}

interface PlayerRow extends Pick<Eligibility, "verifiedAt" | "rank"> {
  userId: string;
  name: string;
  isSubstitute: number;
}

interface CheckInRow
  extends Pick<Eligibility, "minRank" | "maxRank">,
    Pick<typeof tournaments.$inferSelect, "state" | "teamSize"> {
  /** Null if the player is in no team. */
  team: string | null;
  teamState: (typeof tournamentTeams.$inferSelect)["state"] | null;
  checkedInAt: number | null;
  minutes: number;
  isHidden: number;
  opensAt: number;
  missing: number;
}

/**
 * Maximum time that check-in is open before a tournament's date, in milliseconds: a day. Players are also notified
 * after the date, because check-in stays open until the start: it may have opened only just before the date, or the
 * tournament was hidden until now.
 */
const LONGEST_CHECK_IN = DAY;

/**
 * Notifies the players of tournaments, once per tournament, that check-in is open. Leaves out teams that have already
 * checked in.
 * @param limit maximum number of tournaments per run; the rest wait for the next run
 * @returns the notified players, and the tournaments
 */
export async function notifyCheckInOpen(
  db: Database,
  now: Date,
  limit: number,
): Promise<{ notified: { userId: string }[]; opened: { id: string }[] }> {
  const moment = now.getTime();
  const opening = sql`
    SELECT ${t.id} FROM ${tournaments} AS ${t}
    WHERE ${t.state} = 'open' AND ${t.hiddenAt} IS NULL AND ${t.checkInToldAt} IS NULL
      AND ${t.tournamentDate} <= ${moment + LONGEST_CHECK_IN} AND ${t.checkInMinutes} > 0
      AND ${checkInOpensAtOfT} <= ${moment}
    ORDER BY ${t.tournamentDate} LIMIT ${limit}`;
  return transact(db, {
    notified: notify(db, {
      kind: "tournament-check-in",
      subject: subjectSql("tournament", sql`to_tell.tournament_id`),
      data: sql`json_object('tournament', to_tell.title)`,
      recipients: sql`
        SELECT ${playerRow.userId} AS user_id, ${t.id} AS tournament_id, ${t.title} AS title
        FROM ${tournaments} AS ${t} JOIN ${tournamentPlayers} AS ${playerRow} ON ${playerRow.tournamentId} = ${t.id}
          JOIN ${tournamentTeams} AS ${team} ON ${team.id} = ${playerRow.teamId}
        WHERE ${t.id} IN (${opening}) AND ${team.checkedInAt} IS NULL`,
      now: moment,
    }),
    opened: db.all<{ id: string }>(sql`UPDATE ${tournaments} SET ${bare(tournaments.checkInToldAt)} = ${moment}
      WHERE ${tournaments.id} IN (${opening}) RETURNING ${bare(tournaments.id)}`),
  });
}
