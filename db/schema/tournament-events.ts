import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { EVENT_ACTIONS, type EventDetails } from "../words/event-actions";
import { users } from "./accounts";
import { id, moment } from "./columns";
import { tournaments } from "./tournaments";

/** A tournament's log: who did what. Organisers see all of it; a match's page shows everyone the match's entries. */
export const tournamentEvents = sqliteTable(
  "tournament_events",
  {
    id: id(),
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    matchId: integer("match_id"),
    /** Null for automatic changes, and once the account is deleted. */
    actorId: text("actor_id").references(() => users.id, { onDelete: "set null" }),
    action: text("action", { enum: EVENT_ACTIONS }).notNull(),
    details: text("details", { mode: "json" }).$type<EventDetails>(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    index("tournament_events_newest").on(table.tournamentId, sql`id DESC`),
    index("tournament_events_by_match")
      .on(table.tournamentId, table.matchId, table.id)
      .where(sql`match_id IS NOT NULL`),
    index("tournament_events_by_actor").on(table.actorId).where(sql`actor_id IS NOT NULL`),
  ],
);
