import type { Database as Snapshot } from "brackets-model";
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { MapResult } from "../../app/game/scores";
import { PARTS } from "../words/match-parts";
import { moment, oneOf } from "./columns";
import { conversations } from "./conversations";
import { tournaments, tournamentTeams } from "./tournaments";

/**
 * A drawn bracket: the complete data of `brackets-manager`. A table of its own, so that no list of tournaments loads
 * it.
 */
export const tournamentBrackets = sqliteTable("tournament_brackets", {
  tournamentId: text("tournament_id")
    .primaryKey()
    .references(() => tournaments.id, { onDelete: "cascade" }),
  snapshot: text("snapshot", { mode: "json" }).$type<Snapshot>().notNull(),
});

/**
 * - `waiting`: a team is not known yet
 * - `ready`: both teams are known; they check in and play
 * - `reported`: one captain has reported the result, the other has to confirm
 * - `disputed`: the organisers decide
 * - `finished`
 * - `bye`: one side is empty, so the other goes on without playing
 * - `idle`: never played (two byes, or a second grand final that isn't needed)
 */
export const MATCH_STATES = ["waiting", "ready", "reported", "disputed", "finished", "bye", "idle"] as const;

/**
 * A match: its data from the bracket, and its progress. The data is copied here, so that pages needn't read the
 * snapshot. Written by the tournament's room (`app/features/tournaments/play`); a cancellation only takes the open
 * matches off the cron job's lists (`buildCancellation`).
 */
export const tournamentMatches = sqliteTable(
  "tournament_matches",
  {
    tournamentId: text("tournament_id")
      .notNull()
      .references(() => tournaments.id, { onDelete: "cascade" }),
    /**
     * Its number in the tournament, from 0. It and the next columns are those of `BracketMatch` in
     * `app/features/tournaments/bracket/matches.ts`.
     */
    id: integer("id").notNull(),
    part: text("part", { enum: PARTS }).notNull(),
    group: integer("group_number").notNull(),
    round: integer("round").notNull(),
    rounds: integer("rounds").notNull(),
    number: integer("number").notNull(),
    bestOf: integer("best_of").notNull(),
    /** The side that starts one map up, 1 or 2; null in nearly all matches. */
    advantage: integer("advantage").$type<1 | 2>(),
    /**
     * Where the two sides come from: `W12` is the winner of match 12, `L3` the loser of match 3. Null for a seeded side
     * and for a bye.
     */
    source1: text("source1"),
    source2: text("source2"),
    team1: text("team1_id").references(() => tournamentTeams.id, { onDelete: "set null" }),
    team2: text("team2_id").references(() => tournamentTeams.id, { onDelete: "set null" }),
    /** Maps won; null until it is finished, and if it is forfeited. */
    score1: integer("score1"),
    score2: integer("score2"),
    /** Rounds won over all maps, which break ties. A forfeited match counts as 13 to 0 on each map needed to win it. */
    rounds1: integer("rounds1"),
    rounds2: integer("rounds2"),
    /** 1 or 2. */
    winner: integer("winner").$type<1 | 2>(),
    /** The side that lost by forfeit, 1 or 2. */
    forfeit: integer("forfeit").$type<1 | 2>(),
    state: text("state", { enum: MATCH_STATES }).notNull(),
    /** When both teams became known. */
    readyAt: moment("ready_at"),
    /** The deadline of the check-in; after it, the deadline of the result. */
    deadlineAt: moment("deadline_at"),
    /** When the organisers were notified that the deadline has passed. */
    overdueToldAt: moment("overdue_told_at"),
    checkedIn1: moment("checked_in1_at"),
    checkedIn2: moment("checked_in2_at"),
    /** The side that has reported (1 or 2), its report, when it came, and when it counts if nobody answers it. */
    reporter: integer("reporter").$type<1 | 2>(),
    report: text("report", { mode: "json" }).$type<MapResult[]>(),
    reportedAt: moment("reported_at"),
    confirmBy: moment("confirm_by"),
    /** The side that disputes (1 or 2), and its evidence. */
    disputer: integer("disputer").$type<1 | 2>(),
    dispute: text("dispute"),
    /** The result of each map of a finished match that was not forfeited. */
    maps: text("maps", { mode: "json" }).$type<MapResult[]>(),
    finishedAt: moment("finished_at"),
    /** The match chat, created when both teams are known. It's a new one if a team was unknown in between. */
    conversationId: text("conversation_id").references(() => conversations.id, { onDelete: "set null" }),
  },
  (table) => [
    primaryKey({ columns: [table.tournamentId, table.id] }),
    index("tournament_matches_team1").on(table.team1),
    index("tournament_matches_team2").on(table.team2),
    index("tournament_matches_to_confirm").on(table.confirmBy).where(sql`state = 'reported'`),
    index("tournament_matches_overdue").on(table.deadlineAt).where(sql`state = 'ready' AND overdue_told_at IS NULL`),
    index("tournament_matches_by_conversation").on(table.conversationId).where(sql`conversation_id IS NOT NULL`),
    check("tournament_matches_state", oneOf(table.state, MATCH_STATES)),
    check("tournament_matches_best_of", sql`best_of IN (1, 3, 5)`),
    check("tournament_matches_dispute", sql`dispute IS NULL OR length(dispute) BETWEEN 1 AND 2000`),
  ],
);
