import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ROLES, type Role } from "../../app/game/roles";
import { users } from "./accounts";
import { moment, oneOf } from "./columns";
import { tournaments, tournamentTeams } from "./tournaments";

/** The players of the teams: a player is in at most one team of a tournament. */
export const tournamentPlayers = sqliteTable(
  "tournament_players",
  {
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    teamId: text("team_id")
      .notNull()
      .references(() => tournamentTeams.id, { onDelete: "cascade" }),
    isSubstitute: integer("is_substitute", { mode: "boolean" }).notNull().default(false),
    joinedAt: moment("joined_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentId, table.userId] }),
    index("tournament_players_by_team").on(table.teamId, table.userId),
    index("tournament_players_by_player").on(table.userId, sql`tournament_id DESC`),
  ],
);

/** Players invited by a captain by name who have not answered yet. */
export const tournamentInvitations = sqliteTable(
  "tournament_invitations",
  {
    teamId: text("team_id")
      .notNull()
      .references(() => tournamentTeams.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.userId] }),
    index("tournament_invitations_by_player").on(table.userId),
  ],
);

/** Players looking for a team in a tournament. */
export const tournamentSeekers = sqliteTable(
  "tournament_seekers",
  {
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text("role").$type<Role>(),
    note: text("note"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentId, table.userId] }),
    index("tournament_seekers_listed").on(table.tournamentId, sql`created_at DESC`, sql`user_id DESC`),
    index("tournament_seekers_by_player").on(table.userId),
    check("tournament_seekers_role", oneOf(table.role, ROLES)),
    check("tournament_seekers_note", sql`note IS NULL OR length(note) BETWEEN 1 AND 400`),
  ],
);
