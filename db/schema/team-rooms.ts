import { sql } from "drizzle-orm";
import { check, index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { TEAM_DETAILS, type TeamDetail } from "../words/team-details";
import { users } from "./accounts";
import { moment, oneOf } from "./columns";
import { lfgPosts } from "./lfg";

/** The party code and the voice link of a post's team, until the team's session is over. Only the team sees them. */
export const teamDetails = sqliteTable(
  "team_details",
  {
    postId: text("post_id")
      .notNull()
      .references(() => lfgPosts.id, { onDelete: "cascade" }),
    kind: text("kind").$type<TeamDetail>().notNull(),
    /** In its canonical form: see `app/features/teams/room/rules.ts`. */
    value: text("value").notNull(),
    /** The player who set it. It is deleted when they leave the team, or their account is erased. */
    setBy: text("set_by")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    setAt: moment("set_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.postId, table.kind] }),
    index("team_details_by_player").on(table.setBy),
    check("team_details_kind", oneOf(table.kind, TEAM_DETAILS)),
    check(
      "team_details_value",
      sql`iif(kind = 'party-code', length(value) = 6 AND value NOT GLOB '*[^A-Z0-9]*',
        length(value) <= 120 AND (value GLOB 'https://discord.gg/?*' OR value GLOB 'https://discord.com/?*'))`,
    ),
  ],
);

/** The members of a post's team who have pressed `Ready`, until they undo it or the team's session is over. */
export const teamReady = sqliteTable(
  "team_ready",
  {
    postId: text("post_id")
      .notNull()
      .references(() => lfgPosts.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    readyAt: moment("ready_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.postId, table.userId] }), index("team_ready_by_player").on(table.userId)],
);
