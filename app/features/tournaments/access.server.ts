import { type SQL, sql } from "drizzle-orm";

/* Who may do what with a tournament: conditions of a query on `tournaments`. */

const isCoOrganiser = (userId: string, t = sql`tournaments`): SQL => sql`EXISTS (
  SELECT 1 FROM tournament_organisers AS helper WHERE helper.tournament_id = ${t}.id AND helper.user_id = ${userId}
)`;

/** That a player runs it: its host and those whom the host has asked. @param t what the query calls the tournament */
export const organisedBy = (userId: string, t = sql`tournaments`): SQL =>
  sql`(${t}.user_id = ${userId} OR ${isCoOrganiser(userId, t)})`;

/** That its host can't run it: their account is gone, or suspended. */
export const isHostAway: SQL = sql`NOT EXISTS (
  SELECT 1 FROM users AS host WHERE host.id = tournaments.user_id AND host.suspended_at IS NULL
)`;

/** That a player is its host; while the host is suspended, or gone, the others who run it stand in. */
export const hostedBy = (userId: string): SQL =>
  sql`(tournaments.user_id = ${userId} OR (${isHostAway} AND ${isCoOrganiser(userId)}))`;

/** That somebody besides this player runs it, whose account stays. */
export const isRunByOthers = (userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM users AS account
  WHERE account.id IN (
    SELECT tournaments.user_id
    UNION ALL
    SELECT helper.user_id FROM tournament_organisers AS helper WHERE helper.tournament_id = tournaments.id
  ) AND account.id <> ${userId} AND account.suspended_at IS NULL AND account.deletion_due_at IS NULL
)`;
