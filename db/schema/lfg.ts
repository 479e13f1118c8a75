import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { RANKS } from "../../app/game/ranks";
import { REGIONS, type Region } from "../../app/game/regions";
import { ROLES, type Role } from "../../app/game/roles";
import { VOICE_COMMS, type VoiceComms } from "../../app/game/voice";
import { PRESENCE_STATES } from "../words/presence";
import { users } from "./accounts";
import { id, literal, moment, oneOf, rank } from "./columns";
import { conversations } from "./conversations";

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
    /** The lowest rank that the author accepts; null accepts any. */
    requiredRank: rank("required_rank"),
    requiredRole: text("required_role").$type<Role>(),
    region: text("region").$type<Region>(),
    /**
     * The author's preference, copied here so that one index serves the filter. Saving the profile updates it in open
     * posts, and opening a post again copies it anew.
     */
    voiceComms: text("voice_comms").$type<VoiceComms>(),
    /** Title and message folded for search (`foldForSearch`), so that the search ignores case in every alphabet. */
    searchText: text("search_text").notNull(),
    /** The number of accepted requests, recounted in the transaction that changes one. */
    takenSpots: integer("taken_spots").notNull().default(0),
    /** When the last spot was taken; null while one is open. */
    filledAt: moment("filled_at"),
    /**
     * When its author closed it, was suspended or scheduled the account's deletion, or when it couldn't open again
     * after moderators had restored it or a spot of its complete team was freed. Null for a post that is open, has
     * expired, or was closed automatically when it filled.
     */
    closedAt: moment("closed_at"),
    /** When the team's session ended and its members were asked for feedback. */
    sessionEndedAt: moment("session_ended_at"),
    /** The team's conversation, created with the first accepted request. */
    conversationId: text("conversation_id").references(() => conversations.id, { onDelete: "set null" }),
    isActive: integer("is_active", { mode: "boolean" }).notNull().default(true),
    createdAt: moment("created_at").notNull(),
    /** The time of creation or of the last bump, whichever is later: the key of "newest first". */
    listedAt: moment("listed_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    /** When moderators hid it; only its author still sees it. */
    hiddenAt: moment("hidden_at"),
    /**
     * The author's presence while the post is open, copied here so that one index serves the filter. Null if it isn't
     * visible to everyone. `app/features/lfg/shared/author-presence.server.ts` supplies the values of these columns.
     */
    authorState: text("author_state", { enum: PRESENCE_STATES }),
    authorSeenAt: moment("author_seen_at"),
    /** `seenSlot` of `authorState` and `authorSeenAt`. */
    authorSlot: integer("author_slot"),
  },
  (table) => {
    const active = sql`is_active = 1`;
    const newest = [sql`listed_at DESC`, sql`id DESC`] as const;
    return [
      // One partial index per filter, each in the order of the list: a page reads only its own rows.
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
      // The number of players still needed, as the card shows it.
      index("lfg_posts_by_players")
        .on(sql`needed_players - taken_spots`, ...newest)
        .where(active),
      index("lfg_posts_by_slot")
        .on(table.authorSlot, ...newest)
        .where(active),
      index("lfg_posts_by_author")
        .on(table.userId, ...newest)
        .where(active),
      // Includes closed posts: for the deletion of an account, and for the foreign key.
      index("lfg_posts_by_owner").on(table.userId, table.id),
      index("lfg_posts_by_expiry").on(table.expiresAt).where(active),
      index("lfg_posts_by_conversation").on(table.conversationId).where(sql`conversation_id IS NOT NULL`),
      // Teams whose session has not ended yet.
      index("lfg_posts_playing").on(table.expiresAt).where(sql`taken_spots > 0 AND session_ended_at IS NULL`),
      check("lfg_posts_title", sql`length(title) BETWEEN 1 AND 200`),
      check("lfg_posts_message", sql`message IS NULL OR length(message) BETWEEN 1 AND 4000`),
      check("lfg_posts_players", sql`needed_players BETWEEN 1 AND 4`),
      check("lfg_posts_rank", sql`required_rank BETWEEN 0 AND ${literal(RANKS.length - 1)}`),
      check("lfg_posts_role", oneOf(table.requiredRole, ROLES)),
      check("lfg_posts_region", oneOf(table.region, REGIONS)),
      check("lfg_posts_author_state", oneOf(table.authorState, PRESENCE_STATES)),
      check("lfg_posts_voice", oneOf(table.voiceComms, VOICE_COMMS)),
    ];
  },
);

/** `lapsed`: the last spot went to someone else, or the post ended, before the author answered. */
export const JOIN_STATES = ["pending", "accepted", "declined", "lapsed", "withdrawn", "left", "removed"] as const;

/**
 * A player's request for a spot of a post; one per player and post, which may be renewed. An accepted one is a
 * membership of the team.
 */
export const joinRequests = sqliteTable(
  "join_requests",
  {
    id: id(),
    postId: text("post_id")
      .notNull()
      .references(() => lfgPosts.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The role they would play. */
    role: text("role").$type<Role>(),
    /** A short note to the author. */
    note: text("note"),
    state: text("state", { enum: JOIN_STATES }).notNull().default("pending"),
    createdAt: moment("created_at").notNull(),
    decidedAt: moment("decided_at"),
    /** When a session with this player in the team ended; from then on its members have played together. */
    playedAt: moment("played_at"),
  },
  (table) => [
    unique("join_requests_once").on(table.postId, table.userId),
    index("join_requests_by_post").on(table.postId, table.state, table.createdAt),
    index("join_requests_by_player").on(table.userId, table.state, sql`created_at DESC`),
    // Requests in any state: for the deletion of an account.
    index("join_requests_by_owner").on(table.userId, table.id),
    // Pairs of players who have played together: for feedback.
    index("join_requests_played").on(table.userId, table.postId).where(sql`played_at IS NOT NULL`),
    check("join_requests_state", oneOf(table.state, JOIN_STATES)),
    check("join_requests_role", oneOf(table.role, ROLES)),
    check("join_requests_note", sql`note IS NULL OR length(note) BETWEEN 1 AND 400`),
  ],
);
