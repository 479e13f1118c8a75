import { type SQL, sql } from "drizzle-orm";
import { SUBSTITUTES } from "./rules";

/*
 * What must hold for a change of a tournament's teams, as SQL: the statement that makes the change asks for it, so that of
 * two who want the last place at the same moment one gets it.
 */

/**
 * That a player may play in the tournament `t`, as far as their own account goes: `obstacleOf` as a statement sees it.
 * @param userId the player, as an SQL expression
 */
export const mayPlay = (userId: SQL): SQL => sql`EXISTS (
  SELECT 1 FROM profiles AS eligible
  WHERE eligible.user_id = ${userId} AND eligible.riot_verified_at IS NOT NULL
    AND ((t.min_rank IS NULL AND t.max_rank IS NULL) OR (
      eligible.current_rank IS NOT NULL AND eligible.current_rank >= coalesce(t.min_rank, 0)
      AND eligible.current_rank <= coalesce(t.max_rank, 100)
    ))
)`;

/** That all who play for a team may do so in the tournament `t`. @param teamId as an SQL expression */
export const doAllFit = (teamId: SQL): SQL => sql`NOT EXISTS (
  SELECT 1 FROM tournament_players AS plays
  WHERE plays.team_id = ${teamId} AND plays.is_substitute = 0 AND NOT ${mayPlay(sql`plays.user_id`)}
)`;

/** That a player is in no team of the tournament `t`. @param userId as an SQL expression */
export const isFree = (userId: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM tournament_players AS taken WHERE taken.tournament_id = t.id AND taken.user_id = ${userId})`;

/** How many players a team has, or, of them, who play. @param teamId as an SQL expression */
export const countMembers = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM tournament_players AS member WHERE member.team_id = ${teamId})`;
export const countStarters = (teamId: SQL): SQL =>
  sql`(SELECT count(*) FROM tournament_players AS starter WHERE starter.team_id = ${teamId} AND starter.is_substitute = 0)`;

/** `rosterLimit` of the tournament `t`. */
export const rosterLimitOfT = sql`iif(t.team_size = 1, 1, t.team_size + ${SUBSTITUTES})`;

/** When check-in opens in the tournament `t`; its date where there is none. */
export const checkInOpensAtOfT = sql`max(t.tournament_date - t.check_in_minutes * 60000, t.registration_deadline)`;
