import { REPORT_FORMS } from "~/features/reports/rules";
import { type Clock, longDate } from "~/platform/dates/dates";
import { type ShownMoment, showMoment } from "~/platform/dates/time";
import { mayStillAppeal } from "../appeals/rules";
import type { OwnDecision } from "../shared/own-decisions.server";
import { decisionTitle, durationWords, limitWords, originWords, quoteOf, ruleOf, yoursOf } from "../shared/statement";
import type { findStanding, listOwnReports } from "./queries.server";

/** A decision as `/account/decisions` shows it to its player. */
export interface DecisionView {
  id: string;
  title: string;
  /** Its duration; null if it has none. */
  duration: string | null;
  made: ShownMoment;
  /** Whether it was undone. */
  isUndone: boolean;
  /** The thing that it is about: "your post", and the words that were reported. */
  about: string;
  quote: string[];
  reason: string;
  rule: { title: string; anchor: string } | null;
  /** The way in which it reached the moderators: by a report, or by an automatic check. */
  origin: string;
  mayAppeal: boolean;
  appeal: {
    words: string;
    sent: ShownMoment;
    answer: { title: string; words: string; given: ShownMoment } | null;
  } | null;
}

/** Presents a decision to its player. */
export function presentDecision(decision: OwnDecision, clock: Clock): DecisionView {
  const { id, action, kind, until, createdAt, undoneBy, snapshot, appeal } = decision;
  const { outcome, answer, answeredAt } = appeal ?? {};
  return {
    id,
    title: decisionTitle(decision),
    duration: durationWords(action, until && longDate(until, clock)),
    made: showMoment(createdAt, clock),
    isUndone: undoneBy !== null,
    about: yoursOf(kind),
    quote: snapshot ? quoteOf(kind, snapshot, decision) : [],
    reason: decision.reason,
    rule: ruleOf(decision.rule),
    origin: originWords(decision),
    mayAppeal: appeal === null && mayStillAppeal(decision, clock.now),
    appeal: appeal && {
      words: appeal.words,
      sent: showMoment(appeal.createdAt, clock),
      answer:
        outcome && answer && answeredAt
          ? {
              title: outcome === "granted" ? "Granted: the decision was undone." : "Rejected: the decision stands.",
              words: answer,
              given: showMoment(answeredAt, clock),
            }
          : null,
    },
  };
}

/**
 * Presents a player's suspension and limits in force.
 * @param decisions the decisions on the same page; the reason for a suspension is shown only if none of them gives it
 */
export function presentStanding(
  { suspension, limits }: Awaited<ReturnType<typeof findStanding>>,
  decisions: readonly OwnDecision[],
  clock: Clock,
) {
  const isExplained = decisions.some(
    ({ action, undoneBy }) => (action === "suspend" || action === "ban") && undoneBy === null,
  );
  return {
    suspension: suspension && {
      title: suspension.until ? "Your account is suspended" : "Your account is banned",
      until: suspension.until && longDate(suspension.until, clock),
      isExplained,
      reason: isExplained ? null : suspension.reason,
    },
    limits: limits.map(({ scope, until }) => `You can't ${limitWords([scope])} until ${longDate(until, clock)}.`),
  };
}

type OwnReport = Awaited<ReturnType<typeof listOwnReports>>[number];

/** Presents the reports that a player has sent. */
export const presentReports = (reports: readonly OwnReport[], clock: Clock) =>
  reports.map((report) => ({
    id: report.id,
    about: REPORT_FORMS[report.kind].words,
    sent: showMoment(report.createdAt, clock),
    answer: sayAnswer(report),
  }));

function sayAnswer({ isOpen, hasActed, hasTakenBack }: OwnReport): string {
  if (isOpen) return "Waiting";
  if (hasActed) return "We've acted on it";
  return hasTakenBack ? "We acted on it, then undid that" : "It doesn't break our rules";
}
