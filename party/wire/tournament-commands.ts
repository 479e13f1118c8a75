import type { MapResult } from "../../app/game/scores";

/** The two sides of a match. */
export type Side = 1 | 2;

/** A match as a form showed it, to compare with the match as it is now. */
export interface ShownMatch {
  /** The ids of its teams, side 1 first. Either may have been replaced since. */
  teams: string[];
  /** When it was called, in milliseconds since 1970; null if it hadn't been. A reopened match is called again. */
  readyAt: number | null;
  /** When its report was sent, in milliseconds since 1970; null if there was none, absent if the form doesn't say. */
  reportedAt?: number | null;
  /** Whether it was disputed; absent if the form doesn't say. */
  isDisputed?: boolean;
}

/**
 * A command in a tournament, with the kind of player who may give it. The tournament's room carries out the commands in
 * order. `shown` is the match as the command's form showed it.
 */
export type Command =
  /**
   * An organiser draws the bracket from the teams that are present. `expects` is the digest (`digestStart`) of what the
   * dialog showed.
   */
  | { type: "start"; expects?: string }
  /** A member checks the team in. */
  | { type: "check-in"; match: number }
  /** A captain reports the result, or corrects the report until it is confirmed. Side 1's rounds come first. */
  | { type: "report"; match: number; maps: MapResult[]; shown?: ShownMatch }
  /** The other captain confirms. `expects` is the `reportedAt` of the report that they have seen. */
  | { type: "confirm"; match: number; expects: number }
  /** A captain asks the organisers to decide. Captains whose messages moderators have limited give no evidence: "". */
  | { type: "dispute"; match: number; evidence: string; shown?: ShownMatch }
  /** A captain gives the match to the other team. */
  | { type: "forfeit"; match: number; shown?: ShownMatch }
  /** A captain whose team has checked in claims the match because the other team didn't check in on time. */
  | { type: "claim"; match: number }
  /** An organiser decides the result. */
  | { type: "rule"; match: number; maps: MapResult[]; shown?: ShownMatch }
  | { type: "rule"; match: number; forfeits: Side; shown?: ShownMatch }
  /**
   * An organiser reopens a match and those that depend on its result. `expects` lists the results that, according to
   * the page, would be undone, as `writeResults` returns them.
   */
  | { type: "reopen"; match: number; expects: string }
  /** An organiser takes a team out of the tournament: it forfeits all its future matches. */
  | { type: "disqualify"; team: string; reason: string }
  /** An organiser undoes a disqualification. `expects` is the `at` of the one that the dialog showed. */
  | { type: "reinstate"; team: string; expects?: number }
  /** An organiser joins the match chat. */
  | { type: "join-chat"; match: number }
  /** The room itself applies deadlines. */
  | { type: "settle" };

/** Why a command was refused. */
export type Refusal =
  /** No such tournament. */
  | "missing"
  /** No such match. */
  | "no-match"
  | "not-organiser"
  | "not-captain"
  | "not-member"
  /** The tournament has begun, or ended, or was cancelled. */
  | "not-open"
  /** The tournament has not begun or was cancelled, or it has ended and the command isn't allowed after its end. */
  | "not-running"
  /** Teams may still register. */
  | "registration-open"
  /** Check-in is still open, and some teams with a spot have not checked in. */
  | "check-in-open"
  | "too-few-teams"
  /** The dialog showed other teams, another order, another seeding method or another format. */
  | "start-changed"
  /** A team of the match is not known yet. */
  | "locked"
  /** The match is no longer between the teams that the form showed. */
  | "other-teams"
  /** The match has been reopened since the form was opened: it is played again. */
  | "played-again"
  /** The match's turn hasn't come, and not both teams have checked in to play it sooner. */
  | "not-up"
  /** The match has no chat yet: its turn hasn't come, and no command has opened it. */
  | "no-chat"
  /** The match already has a result. */
  | "finished"
  /** The match has no result yet. */
  | "not-finished"
  /** The other captain reported first: confirm or dispute. */
  | "reported-by-other"
  | "nothing-reported"
  /** A captain has sent a report since the page was loaded. */
  | "report-changed"
  /** A captain has disputed the match since the form was opened. */
  | "disputed-since"
  /** The captain's own report awaits the other side. */
  | "own-report"
  /** The organisers are deciding. */
  | "disputed"
  | "bad-score"
  /** The match's deadline is still to come, or isn't set yet. */
  | "too-early"
  /** The other team has checked in. */
  | "they-are-here"
  /** The captain's own team has not checked in. */
  | "check-in-first"
  /** The tournament has no such team. */
  | "no-team"
  /** The team has no matches left. */
  | "out-already"
  /** The team is disqualified, for another reason. */
  | "disqualified-already"
  /** The team was disqualified again after its disqualification, which the dialog showed, had been undone. */
  | "disqualified-again"
  /** The tournament already has a champion. */
  | "over"
  /** Later matches have been played since the team's disqualification. */
  | "played-on"
  /** A team of the match is disqualified. */
  | "disqualified"
  /** The match, or one that depends on it, has changed since the page was loaded. */
  | "changed"
  /** Too many commands at the same time. */
  | "busy";

/** The outcome of a command. */
export type Outcome =
  /** `isConfirmed`: the report agreed with the other captain's, which decided the match. */
  | { outcome: "done"; isConfirmed?: boolean }
  | { outcome: "refused"; reason: Refusal }
  /** Moderators have limited the captain's messages, which include evidence. `until` is in milliseconds since 1970. */
  | { outcome: "refused"; reason: "limited"; until: number };
