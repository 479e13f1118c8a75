import type { MapResult } from "../../app/game/scores";

/** The two sides of a match. */
export type Side = 1 | 2;

/**
 * A command in a tournament, with the kind of player who may give it. The tournament's room carries out the commands in
 * order. `teams` are the ids of the match's teams as the form named them, side 1 first: another team may have taken the
 * place of one since.
 */
export type Command =
  /** An organiser draws the bracket from the teams that are present. */
  | { type: "start" }
  /** A member checks the team in. */
  | { type: "check-in"; match: number }
  /** A captain reports the result, or corrects the report until it is confirmed. Side 1's rounds come first. */
  | { type: "report"; match: number; maps: MapResult[]; teams?: string[] }
  /** The other captain confirms. `expects` is the `reportedAt` of the report that they have seen. */
  | { type: "confirm"; match: number; expects: number }
  /** A captain asks the organisers to decide. Captains whose messages moderators have limited give no evidence: "". */
  | { type: "dispute"; match: number; evidence: string; teams?: string[] }
  /** A captain gives the match to the other team. */
  | { type: "forfeit"; match: number; teams?: string[] }
  /** A captain whose team has checked in claims the match because the other team didn't check in on time. */
  | { type: "claim"; match: number }
  /** An organiser decides the result. */
  | { type: "rule"; match: number; maps: MapResult[]; teams?: string[] }
  | { type: "rule"; match: number; forfeits: Side; teams?: string[] }
  /**
   * An organiser reopens a match and those that depend on its result; `expects` lists the dependent matches as the page
   * showed them.
   */
  | { type: "reopen"; match: number; expects: number[] }
  /** An organiser takes a team out of the tournament: it forfeits all its future matches. */
  | { type: "disqualify"; team: string; reason: string }
  /** An organiser undoes a disqualification. */
  | { type: "reinstate"; team: string }
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
  /** A team of the match is not known yet. */
  | "locked"
  /** The match is between other teams than the form named. */
  | "other-teams"
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
  /** The report was changed after the page was loaded. */
  | "report-changed"
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
  /** The tournament already has a champion. */
  | "over"
  /** Later matches have been played since the team's disqualification. */
  | "played-on"
  /** A team of the match is disqualified. */
  | "disqualified"
  /** Matches that depend on this one have changed since the page was loaded. */
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
