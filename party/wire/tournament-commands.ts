import type { MapResult } from "../../app/game/scores";

/** The two sides of a match. */
export type Side = 1 | 2;

/** What somebody wants done in a tournament. Its room takes one after the other. */
export type Command =
  /** An organiser: draws the bracket from those who are there. */
  | { type: "start" }
  /** A member: the team is there. */
  | { type: "check-in"; match: number }
  /** A captain: how it ended, or, until it is confirmed, how it ended after all. Rounds are those of side 1 and side 2. */
  | { type: "report"; match: number; maps: MapResult[] }
  /** The other captain: so it is. `expects` is when the report was made that they have seen (`reportedAt`). */
  | { type: "confirm"; match: number; expects: number }
  /** A captain: the organisers must decide. */
  | { type: "dispute"; match: number; evidence: string }
  /** A captain: the other team wins. */
  | { type: "forfeit"; match: number }
  /** A captain whose team is there: the other didn't check in in time. */
  | { type: "claim"; match: number }
  /** An organiser decides. */
  | { type: "rule"; match: number; maps: MapResult[] }
  | { type: "rule"; match: number; forfeits: Side }
  /** An organiser takes a result back, and with it those that hang on it: `expects`, as they were told. */
  | { type: "reopen"; match: number; expects: number[] }
  /** An organiser takes a team out of the tournament: it forfeits what it would play from now on. */
  | { type: "disqualify"; team: string; reason: string }
  /** An organiser takes that back. */
  | { type: "reinstate"; team: string }
  /** An organiser comes into the match chat. */
  | { type: "join-chat"; match: number }
  /** Nobody: what is due happens by itself. */
  | { type: "settle" };

/** Why something was not done. */
export type Refusal =
  /** No such tournament. */
  | "missing"
  /** No such match. */
  | "no-match"
  | "not-organiser"
  | "not-captain"
  | "not-member"
  /** It has begun, or ended, or was cancelled. */
  | "not-open"
  /** It has not begun, or was cancelled. */
  | "not-running"
  /** Teams may still register. */
  | "registration-open"
  /** Teams still check in, and some that have a place have not. */
  | "check-in-open"
  | "too-few-teams"
  /** A team is still missing. */
  | "locked"
  /** Nothing has happened in the match yet: it has no chat. */
  | "no-chat"
  /** The match has its result. */
  | "finished"
  /** The match has no result yet. */
  | "not-finished"
  /** The other captain has reported first: confirm or dispute. */
  | "reported-by-other"
  | "nothing-reported"
  /** The report was changed since the page was made. */
  | "report-changed"
  /** One's own report waits for the other side. */
  | "own-report"
  /** The organisers are deciding. */
  | "disputed"
  | "bad-score"
  /** The match's deadline is still to come. */
  | "too-early"
  /** The other team is there. */
  | "they-are-here"
  /** One's own team has not checked in. */
  | "check-in-first"
  /** The tournament has no such team. */
  | "no-team"
  /** The team plays no match any more. */
  | "out-already"
  /** The tournament has its champion. */
  | "over"
  /** What came after the team's disqualification was played. */
  | "played-on"
  /** A team of the match is disqualified. */
  | "disqualified"
  /** What hangs on the match has changed since the page was made. */
  | "changed"
  /** Too much happens at once. */
  | "busy";

/** What has become of a command. */
export type Outcome =
  /** `isConfirmed`: a report that said what the other captain's says, and so decided the match. */
  { outcome: "done"; isConfirmed?: boolean } | { outcome: "refused"; reason: Refusal };
