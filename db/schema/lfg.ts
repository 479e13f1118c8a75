import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { RANKS } from "../../app/features/game/ranks";
import { REGIONS, type Region } from "../../app/features/game/regions";
import { ROLES, type Role } from "../../app/features/game/roles";
import { VOICE_COMMS, type VoiceComms } from "../../app/features/game/voice";
import { users } from "./accounts";
import { id, literal, moment, oneOf, rank } from "./columns";

/** A looking-for-group post. */
export const lfgPosts = sqliteTable(
  "lfg_posts",
  {
    id: id(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text("title").notNull(),
    message: text("message"),
    neededPlayers: integer("needed_players").notNull(),
    /** The lowest rank the author wants; null welcomes any. */
    requiredRank: rank("required_rank"),
    requiredRole: text("required_role").$type<Role>(),
    region: text("region").$type<Region>(),
    /** The author's preference when the post was made, copied here so that one index serves the filter. */
    voiceComms: text("voice_comms").$type<VoiceComms>(),
    /** Title and message folded for search (`foldForSearch`), so that the search knows all alphabets' capitals. */
    searchText: text("search_text").notNull(),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    createdAt: moment("created_at").notNull(),
    /** The later of created and bumped: what "newest first" sorts by. */
    listedAt: moment("listed_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => {
    const active = sql`is_active = 1`;
    const newest = [sql`listed_at DESC`, sql`id DESC`] as const;
    return [
      // One partial index per filter, each in the order of the list: a page reads just its own rows.
      index("lfg_posts_newest")
        .on(...newest)
        .where(active),
      index("lfg_posts_by_role")
        .on(table.requiredRole, ...newest)
        .where(active),
      index("lfg_posts_by_region")
        .on(table.region, ...newest)
        .where(active),
      index("lfg_posts_by_voice")
        .on(table.voiceComms, ...newest)
        .where(active),
      index("lfg_posts_by_players")
        .on(table.neededPlayers, ...newest)
        .where(active),
      index("lfg_posts_by_author")
        .on(table.userId, ...newest)
        .where(active),
      // Closed ones included: for what an account leaves behind, and for the foreign key.
      index("lfg_posts_by_owner").on(table.userId, table.id),
      index("lfg_posts_by_expiry").on(table.expiresAt).where(active),
      check("lfg_posts_title", sql`length(title) BETWEEN 1 AND 200`),
      check("lfg_posts_message", sql`message IS NULL OR length(message) BETWEEN 1 AND 4000`),
      check("lfg_posts_players", sql`needed_players BETWEEN 1 AND 4`),
      check("lfg_posts_rank", sql`required_rank BETWEEN 0 AND ${literal(RANKS.length - 1)}`),
      check("lfg_posts_role", oneOf(table.requiredRole, ROLES)),
      check("lfg_posts_region", oneOf(table.region, REGIONS)),
      check("lfg_posts_voice", oneOf(table.voiceComms, VOICE_COMMS)),
    ];
  },
);
