import { type NotNull, sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  check,
  index,
  integer,
  primaryKey,
  type SQLiteBooleanBuilderInitial,
  sqliteTable,
  text,
  unique,
} from "drizzle-orm/sqlite-core";
import { RANKS } from "../../app/game/ranks";
import { REGIONS, type Region } from "../../app/game/regions";
import type { Disqualification } from "../words/disqualification";
import { DEFAULT_TIE_BREAKS, type LastTieBreak, type TieBreaks } from "../words/tie-breaks";
import { FORMATS, type Format, GRAND_FINALS, THIRD_PLACE } from "../words/tournament-formats";
import { TOURNAMENT_STATES } from "../words/tournament-states";
import { users } from "./accounts";
import { id, literal, moment, oneOf, rank } from "./columns";

/** The ways to seed a bracket. */
export const SEEDINGS = ["random", "rank", "manual"] as const;

/**
 * Whether lists and the sitemap show a tournament; kept in step with the host's account by `updateListing`. The default
 * is only for rows older than the column. The type leaves the default out to make every INSERT set the column:
 * otherwise an unchecked tournament would be listed.
 */
const isListed: NotNull<SQLiteBooleanBuilderInitial<"is_listed">> = integer("is_listed", { mode: "boolean" })
  .notNull()
  .default(true);

/** A tournament hosted by a player. Its participants are teams, or players if the team size is 1. */
export const tournaments = sqliteTable(
  "tournaments",
  {
    id: id(),
    /** The host; null once the account is deleted. */
    userId: text("user_id").references(() => users.id, { onDelete: "set null" }),
    title: text("title").notNull(),
    description: text("description").notNull(),
    rules: text("rules"),
    /** In cents. For information only: Lineup handles no payments. */
    entryFee: integer("entry_fee").notNull(),
    prizePool: integer("prize_pool").notNull(),
    maxParticipants: integer("max_participants").notNull(),
    /** The number of teams with a spot, recounted in the transaction that changes one. */
    currentParticipants: integer("current_participants").notNull().default(0),
    minRank: rank("min_rank"),
    maxRank: rank("max_rank"),
    region: text("region").$type<Region>(),
    format: text("format").$type<Format>().notNull(),
    teamSize: integer("team_size").notNull(),
    /**
     * The maximum number of maps in a match: 1, 3 or 5. A stage without a length of its own (null) uses that of the
     * early rounds (`best_of`).
     */
    bestOf: integer("best_of").notNull(),
    quarterBestOf: integer("quarter_best_of"),
    semiBestOf: integer("semi_best_of"),
    lowerFinalBestOf: integer("lower_final_best_of"),
    finalBestOf: integer("final_best_of").notNull(),
    /** The kind of grand final of a double elimination. */
    grandFinal: text("grand_final", { enum: GRAND_FINALS }).notNull().default("reset"),
    /** The most teams in a group of a round robin. */
    groupSize: integer("group_size").notNull(),
    /** Whether a single elimination has a match for third place. */
    thirdPlace: text("third_place", { enum: THIRD_PLACE }).notNull().default("automatic"),
    /** The number of minutes before the start at which check-in opens; 0 for no check-in. */
    checkInMinutes: integer("check_in_minutes").notNull(),
    seeding: text("seeding", { enum: SEEDINGS }).notNull(),
    /** The order of the tie-break steps, and the last resort when teams are equal in all of them. */
    tieBreaks: text("tie_breaks").$type<TieBreaks>().notNull().default(DEFAULT_TIE_BREAKS),
    lastTieBreak: text("last_tie_break").$type<LastTieBreak>().notNull().default("match"),
    tournamentDate: moment("tournament_date").notNull(),
    registrationDeadline: moment("registration_deadline").notNull(),
    /** IANA time zone in which the host entered the dates. */
    timeZone: text("time_zone").notNull(),
    state: text("state", { enum: TOURNAMENT_STATES }).notNull().default("open"),
    isListed,
    cancelReason: text("cancel_reason"),
    /** When the registered teams were notified that they can check in. */
    checkInToldAt: moment("check_in_told_at"),
    /** When the organisers were notified that the date has passed and the tournament has not been started. */
    startToldAt: moment("start_told_at"),
    startedAt: moment("started_at"),
    /** When it was finished or cancelled. */
    endedAt: moment("ended_at"),
    winnerTeamId: text("winner_team_id").references((): AnySQLiteColumn => tournamentTeams.id, {
      onDelete: "set null",
    }),
    /** Incremented by every change that concerns the tournament's room: to teams, organisers, bracket and matches. */
    version: integer("version").notNull().default(0),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    /** When moderators hid it; only its organisers still see it. */
    hiddenAt: moment("hidden_at"),
  },
  (table) => [
    // Ids are UUIDv7, so they sort by age. Each filter has a partial index of its own.
    index("tournaments_newest").on(sql`id DESC`).where(sql`is_listed = 1`),
    index("tournaments_open").on(table.registrationDeadline, table.id).where(sql`state = 'open'`),
    index("tournaments_listed_open")
      .on(table.registrationDeadline, table.id)
      .where(sql`state = 'open' AND is_listed = 1`),
    index("tournaments_by_region").on(table.region, sql`id DESC`).where(sql`is_listed = 1`),
    index("tournaments_free").on(sql`id DESC`).where(sql`entry_fee = 0 AND is_listed = 1`),
    index("tournaments_by_date").on(table.tournamentDate, table.id).where(sql`is_listed = 1`),
    index("tournaments_by_host").on(table.userId, sql`id DESC`),
    index("tournaments_open_by_host").on(table.userId, sql`id DESC`).where(sql`state = 'open'`),
    index("tournaments_unlisted").on(table.userId, sql`id DESC`).where(sql`is_listed = 0`),
    index("tournaments_by_winner").on(table.winnerTeamId).where(sql`winner_team_id IS NOT NULL`),
    index("tournaments_to_check_in").on(table.tournamentDate).where(sql`state = 'open' AND check_in_told_at IS NULL`),
    check("tournaments_title", sql`length(title) BETWEEN 1 AND 200`),
    check("tournaments_description", sql`length(description) BETWEEN 1 AND 4000`),
    check("tournaments_rules", sql`rules IS NULL OR length(rules) BETWEEN 1 AND 20000`),
    check("tournaments_money", sql`entry_fee BETWEEN 0 AND 10000000 AND prize_pool BETWEEN 0 AND 10000000`),
    check("tournaments_participants", sql`max_participants BETWEEN 2 AND 256 AND current_participants >= 0`),
    check(
      "tournaments_ranks",
      sql`(min_rank IS NULL OR min_rank BETWEEN 0 AND ${literal(RANKS.length - 1)})
        AND (max_rank IS NULL OR max_rank BETWEEN 0 AND ${literal(RANKS.length - 1)})
        AND (min_rank IS NULL OR max_rank IS NULL OR max_rank >= min_rank)`,
    ),
    check("tournaments_region", oneOf(table.region, REGIONS)),
    check("tournaments_format", oneOf(table.format, FORMATS)),
    check("tournaments_team_size", sql`team_size IN (1, 2, 3, 5)`),
    check("tournaments_best_of", sql`best_of IN (1, 3, 5) AND final_best_of IN (1, 3, 5)`),
    check("tournaments_group_size", sql`group_size BETWEEN 3 AND 16`),
    check("tournaments_check_in", sql`check_in_minutes BETWEEN 0 AND 1440`),
    check("tournaments_seeding", oneOf(table.seeding, SEEDINGS)),
    check("tournaments_dates", sql`registration_deadline < tournament_date`),
    check("tournaments_state", oneOf(table.state, TOURNAMENT_STATES)),
    check("tournaments_cancel_reason", sql`cancel_reason IS NULL OR length(cancel_reason) BETWEEN 1 AND 1000`),
  ],
);

/** The organisers of a tournament besides its host. */
export const tournamentOrganisers = sqliteTable(
  "tournament_organisers",
  {
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    userId: text("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    addedAt: moment("added_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentId, table.userId] }),
    index("tournament_organisers_by_player").on(table.userId, table.tournamentId),
  ],
);

/**
 * - `entered`: has a spot
 * - `waiting`: is on the waiting list, in the order of `listedAt`
 * - `absent`: had a spot but did not check in; no longer in the tournament
 *
 * A team that withdraws before the start is deleted.
 */
export const TEAM_STATES = ["entered", "waiting", "absent"] as const;

/** A team in one tournament; a single player if the team size is 1. */
export const tournamentTeams = sqliteTable(
  "tournament_teams",
  {
    id: id(),
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** The name folded (`foldForSearch`): unique within a tournament. */
    nameKey: text("name_key").notNull(),
    /** Null once the account is deleted, if there was no successor. */
    captainId: text("captain_id").references(() => users.id, { onDelete: "set null" }),
    /** The token of the invitation link: anyone who has it may join. */
    inviteToken: text("invite_token").notNull().unique(),
    state: text("state", { enum: TEAM_STATES }).notNull(),
    /** When it was registered, or put on the waiting list. */
    listedAt: moment("listed_at").notNull(),
    checkedInAt: moment("checked_in_at"),
    /** Its seed, from 1: set by hand before the start, final once the bracket is drawn. */
    seed: integer("seed"),
    /** Its final place, from 1; the best of them if it shares several places. */
    place: integer("place"),
    /** The last of the shared places; null if the place is not shared. */
    lastPlace: integer("last_place"),
    disqualification: text("disqualification", { mode: "json" }).$type<Disqualification>(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    unique("tournament_teams_name").on(table.tournamentId, table.nameKey),
    index("tournament_teams_listed").on(table.tournamentId, table.state, table.listedAt),
    index("tournament_teams_by_captain").on(table.captainId, table.tournamentId),
    check("tournament_teams_name_length", sql`length(name) BETWEEN 1 AND 100`),
    check("tournament_teams_state", oneOf(table.state, TEAM_STATES)),
  ],
);
