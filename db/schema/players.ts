import { sql } from "drizzle-orm";
import { check, index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Agent } from "../../app/features/game/agents";
import { RANKS } from "../../app/features/game/ranks";
import { REGIONS, type Region, VERIFICATION_REGIONS, type VerificationRegion } from "../../app/features/game/regions";
import { ROLES, type Role } from "../../app/features/game/roles";
import { VOICE_COMMS, type VoiceComms } from "../../app/features/game/voice";
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
    /** Plain mean of the revealed ratings, 1–5; null while there are none. */
    feedbackScore: real("feedback_score"),
    totalRatings: integer("total_ratings").notNull().default(0),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
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
