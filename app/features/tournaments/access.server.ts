import { type SQL, sql } from "drizzle-orm";

/* Who may do what with a tournament: conditions of a query on `tournaments`. */

const isCoOrganiser = (userId: string): SQL => sql`EXISTS (
  SELECT 1 FROM tournament_organisers AS helper WHERE helper.tournament_id = tournaments.id AND helper.user_id = ${userId}
)`;

/** That a player runs it: its host and those whom the host has asked. */
export const organisedBy = (userId: string): SQL => sql`(tournaments.user_id = ${userId} OR ${isCoOrganiser(userId)})`;

/** That a player is its host; once the host's account is gone, the others who run it stand in. */
export const hostedBy = (userId: string): SQL =>
  sql`(tournaments.user_id = ${userId} OR (tournaments.user_id IS NULL AND ${isCoOrganiser(userId)}))`;
