import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Agent } from "../../app/game/agents";
import { RANKS } from "../../app/game/ranks";
import { REGIONS, type Region, VERIFICATION_REGIONS, type VerificationRegion } from "../../app/game/regions";
import { ROLES, type Role } from "../../app/game/roles";
import { VOICE_COMMS, type VoiceComms } from "../../app/game/voice";
import type { Availability } from "../words/availability";
import type { Language } from "../words/languages";
import { USUAL_RATING } from "../words/ratings";
import type { Shareable } from "../words/sharing";
import { users } from "./accounts";
import { literal, moment, oneOf, rank, words } from "./columns";

/** What a player shows of themselves; one row per user, made with the account. */
export const profiles = sqliteTable(
  "profiles",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `name#tag` as the player writes it; as Riot writes it once verified. */
    riotId: text("riot_id"),
    riotGameName: text("riot_game_name"),
    riotTagLine: text("riot_tag_line"),
    riotRegion: text("riot_region").$type<VerificationRegion>(),
    /** Riot's key of the account: one account, one player. Null while unverified. */
    riotPuuid: text("riot_puuid").unique(),
    riotVerifiedAt: moment("riot_verified_at"),
    /** When the claim on the account is taken back, unless the player confirms the e-mail before; null once confirmed. */
    riotClaimLapsesAt: moment("riot_claim_lapses_at"),
    /** When Riot Sign-On proved that the account is this player's; null where it was only found. */
    riotProvenAt: moment("riot_proven_at"),
    lastRankSync: moment("last_rank_sync"),
    currentRank: rank("current_rank"),
    mainAgents: words<Agent>("main_agents"),
    personalityTags: words("personality_tags"),
    preferredRole: text("preferred_role").$type<Role>(),
    region: text("region").$type<Region>(),
    discordTag: text("discord_tag"),
    /** When Discord itself named the tag; null where the player typed it. */
    discordVerifiedAt: moment("discord_verified_at"),
    description: text("description"),
    playTimes: text("play_times"),
    voiceCommsPreference: text("voice_comms_preference").$type<VoiceComms>(),
    /** IANA name of the zone in which `availability` is meant; null while nothing was said. */
    timeZone: text("time_zone"),
    /** When they usually play: seven numbers, Monday first, a bit for each part of the day (`DAY_PARTS`). */
    availability: text("availability", { mode: "json" }).$type<Availability>(),
    /** Codes of ISO 639-1: `db/words/languages.ts`. */
    languages: words<Language>("languages"),
    /** What others may see, of `SHAREABLE` in `db/words/sharing.ts`; null: as they are by default. */
    shares: words<Shareable>("shares"),
    /** The picture in the bucket: a new name for each, so that it can be kept for good by caches; null without one. */
    avatarId: text("avatar_id").unique(),
    /** Whether the directory names this player. */
    isListed: integer("is_listed", { mode: "boolean" }).notNull().default(true),
    /** When the account was made, copied here for the directory's order. */
    joinedAt: moment("joined_at"),
    /** The score that ranks: the mean of the ratings, drawn to what is usual while there are few (`rankingScore`). */
    rankingScore: real("ranking_score").notNull().default(USUAL_RATING),
    /** Plain mean of the revealed ratings, 1–5; null while there are none. */
    feedbackScore: real("feedback_score"),
    totalRatings: integer("total_ratings").notNull().default(0),
    /** The name whose words stand in `player_names`; null until they have been written. */
    foundBy: text("found_by"),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("profiles_by_riot_id").on(sql`riot_id COLLATE NOCASE`),
    index("profiles_without_words").on(table.userId).where(sql`found_by IS NULL`),
    index("profiles_lapsing").on(table.riotClaimLapsesAt).where(sql`riot_claim_lapses_at IS NOT NULL`),
    check("profiles_rank", sql`current_rank BETWEEN 0 AND ${literal(RANKS.length - 1)}`),
    check("profiles_role", oneOf(table.preferredRole, ROLES)),
    check("profiles_region", oneOf(table.region, REGIONS)),
    check("profiles_riot_region", oneOf(table.riotRegion, VERIFICATION_REGIONS)),
    check("profiles_voice", oneOf(table.voiceCommsPreference, VOICE_COMMS)),
    check("profiles_main_agents", sql`main_agents IS NULL OR json_array_length(main_agents) <= 3`),
    check("profiles_verified", sql`(riot_puuid IS NULL) = (riot_verified_at IS NULL)`),
  ],
);

/**
 * What the directory filters by, a row for each thing that can be asked for (`role:Duelist`, `agent:Sova`, `language:en` …, and
 * `all`), each with the orders of the list beside it: any one filter is served by an index, in the list's own order.
 */
export const playerFacets = sqliteTable(
  "player_facets",
  {
    facet: text("facet").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    joinedAt: moment("joined_at").notNull(),
    rankingScore: real("ranking_score").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.facet] }),
    index("player_facets_newest").on(table.facet, sql`joined_at DESC`, sql`user_id DESC`),
    index("player_facets_by_reputation").on(table.facet, sql`ranking_score DESC`, sql`user_id DESC`),
  ],
);

/**
 * The words of players' names, folded (`nameWords`): the beginning of any of them finds its player, and one index serves each.
 * `app/features/players/shared/names.server.ts` alone writes them.
 */
export const playerNames = sqliteTable(
  "player_names",
  {
    word: text("word").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.word] }),
    index("player_names_by_word").on(table.word, table.userId),
  ],
);
