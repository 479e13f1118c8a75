import { REPORT_FORMS } from "~/features/reports/rules";
import { type Clock, longDate } from "~/platform/dates/dates";
import { showMoment } from "~/platform/dates/time";
import { ACTION_WORDS } from "../rules";
import { limitWords, quoteOf, ruleOf } from "../shared/statement";
import type { FoundAppeal, listWaitingAppeals } from "./queries.server";
import { ANSWER_REFUSALS, type AppealOutcome } from "./rules";

type WaitingAppeal = Awaited<ReturnType<typeof listWaitingAppeals>>["items"][number];

/** Names an appealed decision for moderators: "Ban: Alice, about a post". */
const titleOf = ({ action, player, kind }: Pick<WaitingAppeal, "action" | "player" | "kind">): string =>
  `${ACTION_WORDS[action].name}: ${player ?? "a deleted account"}, about ${REPORT_FORMS[kind].words}`;

/** Presents an appeal in the queue. */
export const presentWaiting = (appeal: WaitingAppeal, moderatorId: string, clock: Clock) => ({
  id: appeal.id,
  title: titleOf(appeal),
  excerpt: appeal.excerpt,
  sent: showMoment(appeal.createdAt, clock),
  isOwn: appeal.decidedBy === moderatorId,
});

/**
 * Presents an appeal with everything a moderator needs to answer it.
 * @param refusal why the moderator can't answer it; null if they can
 */
export function presentAppeal(
  appeal: FoundAppeal,
  refusal: Exclude<AppealOutcome, "answered"> | null,
  moderatorId: string,
  clock: Clock,
) {
  const { kind, snapshot, scopes, until, rule, answeredAt, outcome } = appeal;
  return {
    id: appeal.id,
    caseId: snapshot && appeal.caseId,
    title: titleOf(appeal),
    hasAccount: appeal.player !== null,
    isUndone: appeal.undoneBy !== null,
    words: appeal.words,
    sent: showMoment(appeal.createdAt, clock),
    quote: snapshot ? quoteOf(kind, snapshot, appeal) : [],
    terms: [
      scopes && `Can't ${limitWords(scopes)}.`,
      until && `Ends on ${longDate(until, clock)}.`,
      appeal.undoneBy !== null && "Already undone.",
    ].filter((term): term is string => Boolean(term)),
    rule: ruleOf(rule),
    reason: appeal.reason,
    // Players never learn who decided about them, even if they are moderators themselves.
    decider: appeal.playerId === moderatorId ? "a moderator" : appeal.decider,
    decided: showMoment(appeal.decidedAt, clock),
    whyNot: refusal && refusal !== "missing" ? ANSWER_REFUSALS[refusal] : null,
    answer:
      outcome && answeredAt
        ? {
            title: outcome === "granted" ? "Granted" : "Rejected",
            words: appeal.answer ?? "",
            by: appeal.playerId === moderatorId ? "another moderator" : (appeal.answerer ?? ""),
            given: showMoment(answeredAt, clock),
          }
        : null,
  };
}
