import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Agent } from "../../app/game/agents";
import { RANKS } from "../../app/game/ranks";
import { REGIONS, type Region, VERIFICATION_REGIONS, type VerificationRegion } from "../../app/game/regions";
import { ROLES, type Role } from "../../app/game/roles";
import { VOICE_COMMS, type VoiceComms } from "../../app/game/voice";
import type { Availability } from "../words/availability";
import { CONTACT_POLICIES } from "../words/contact-policies";
import type { Language } from "../words/languages";
import { PRESENCE_POLICIES } from "../words/presence-policies";
import { USUAL_RATING } from "../words/ratings";
import type { ReadyStep } from "../words/ready-steps";
import type { Shareable } from "../words/sharing";
import { users } from "./accounts";
import { literal, moment, oneOf, rank, words } from "./columns";

/** A player's public profile; one row per user, created with the account. */
export const profiles = sqliteTable(
  "profiles",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `name#tag` as the player typed it; as Riot spells it once verified. */
    riotId: text("riot_id"),
    /** The name that others see. Null if it was never looked up or can't be shown: they see `riotId` (`riotNames`). */
    riotGameName: text("riot_game_name"),
    riotTagLine: text("riot_tag_line"),
    riotRegion: text("riot_region").$type<VerificationRegion>(),
    /** The PUUID, Riot's id for the account, which only one player can have. Null while unverified. */
    riotPuuid: text("riot_puuid").unique(),
    riotVerifiedAt: moment("riot_verified_at"),
    /** When the claim to the account lapses unless the player confirms their email first; null once confirmed. */
    riotClaimLapsesAt: moment("riot_claim_lapses_at"),
    /** When the player's last claim lapsed: they can't make another before they confirm their email. Null if never. */
    riotClaimLapsedAt: moment("riot_claim_lapsed_at"),
    /** When Riot Sign-On proved that the account belongs to this player; null if it was only looked up. */
    riotProvenAt: moment("riot_proven_at"),
    lastRankSync: moment("last_rank_sync"),
    currentRank: rank("current_rank"),
    mainAgents: words<Agent>("main_agents"),
    personalityTags: words("personality_tags"),
    preferredRole: text("preferred_role").$type<Role>(),
    region: text("region").$type<Region>(),
    discordTag: text("discord_tag"),
    /** When Discord itself supplied the tag, which moderators may have hidden since; null if the player typed it. */
    discordVerifiedAt: moment("discord_verified_at"),
    description: text("description"),
    playTimes: text("play_times"),
    voiceCommsPreference: text("voice_comms_preference").$type<VoiceComms>(),
    /** IANA time zone of `availability`; null if the player has not chosen one. */
    timeZone: text("time_zone"),
    /**
     * When the player usually plays: seven numbers, Monday first, with a bit for each part of the day (`DAY_PARTS`).
     */
    availability: text("availability", { mode: "json" }).$type<Availability>(),
    /** Codes of ISO 639-1: `db/words/languages.ts`. */
    languages: words<Language>("languages"),
    /** The parts of `SHAREABLE` in `db/words/sharing.ts` that others may see; null for the default. */
    shares: words<Shareable>("shares"),
    /**
     * The picture's key in the bucket. Each picture gets a new key, so that caches can keep it forever. Null without a
     * picture.
     */
    avatarId: text("avatar_id").unique(),
    /** Whether the directory lists this player. */
    isListed: integer("is_listed", { mode: "boolean" }).notNull().default(true),
    /** When the account was created, copied here for the directory's order. */
    joinedAt: moment("joined_at"),
    /**
     * The score used for ranking: the mean of the ratings, pulled towards the usual rating while there are few
     * (`rankingScore`).
     */
    rankingScore: real("ranking_score").notNull().default(USUAL_RATING),
    /** Plain mean of the revealed ratings, 1–5; null if there are none. */
    feedbackScore: real("feedback_score"),
    totalRatings: integer("total_ratings").notNull().default(0),
    /** The name whose words are in `player_names`; null until they are stored. */
    foundBy: text("found_by"),
    /** The players who may begin a conversation with this one. */
    contactPolicy: text("contact_policy", { enum: CONTACT_POLICIES }).notNull().default("everyone"),
    /** The players who see whether this one is online. */
    presencePolicy: text("presence_policy", { enum: PRESENCE_POLICIES }).notNull().default("everyone"),
    /** The steps of `Get ready` that the player has answered or skipped; null for none. */
    readySteps: words<ReadyStep>("ready_steps"),
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
    check("profiles_contact_policy", oneOf(table.contactPolicy, CONTACT_POLICIES)),
    check("profiles_presence_policy", oneOf(table.presencePolicy, PRESENCE_POLICIES)),
    check("profiles_voice", oneOf(table.voiceCommsPreference, VOICE_COMMS)),
    check("profiles_main_agents", sql`main_agents IS NULL OR json_array_length(main_agents) <= 3`),
    check("profiles_verified", sql`(riot_puuid IS NULL) = (riot_verified_at IS NULL)`),
  ],
);

/**
 * The values that the directory filters by, a row for each (`role:Duelist`, `agent:Sova`, `language:en` …, and `all`).
 * Each row repeats the sort keys of the list, so that an index serves any single filter in the list's own order.
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
 * The words of players' names, folded (`nameWords`): a player is found by the beginning of any of them, through one
 * index. In the app only `names.server.ts` and `hide-player.server.ts` in `app/features/players/shared/` write here.
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
