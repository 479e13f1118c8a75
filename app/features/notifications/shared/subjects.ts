import type { SQL } from "drizzle-orm";

/** The words of subjects, and the ids that follow each. */
export interface Subjects {
  post: [postId: string];
  /** The team of a post, once it has played. */
  team: [postId: string];
  conversation: [conversationId: string];
  /** The Riot account that a player has verified. */
  riot: [userId: string];
  /** The feedback that a player has received. */
  feedback: [userId: string];
  /** The reports that a player has made. */
  reports: [userId: string];
  tournament: [tournamentId: string];
  /** The player's role as an organiser. */
  "tournament-organiser": [tournamentId: string];
  "tournament-team": [tournamentId: string, teamId: string];
  match: [tournamentId: string, matchId: number];
  /** A case, for its moderators. */
  case: [caseId: string];
  /** The moderators' queue. */
  queue: [state: "open"];
}

declare const isSubject: unique symbol;

/**
 * The subject of a notification, as the database stores it: for example `post:<id>`, or
 * `match:<tournament's id>/<match's id>`. The notification's link is built from it, and a visit to the linked page
 * finds the notification by it. Only `subjectOf` and `subjectSql` make subjects, so that senders and pages can't spell
 * one differently.
 */
export type NewsSubject = string & { readonly [isSubject]: true };

/** A subject as an SQL expression. */
export type NewsSubjectSql = SQL & { readonly [isSubject]: true };

/** Makes the subject of news; `subjectSql` in `subjects.server.ts` is its twin in SQL. */
export const subjectOf = <Word extends keyof Subjects>(word: Word, ...ids: Subjects[Word]): NewsSubject =>
  `${word}:${ids.join("/")}` as NewsSubject;

/** Returns the ids in a stored subject. */
export const idsOf = (subject: string): string[] => subject.slice(subject.indexOf(":") + 1).split("/");
