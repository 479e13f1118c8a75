import type { DecisionAction } from "#db/words/decision-actions";
import type { ReportKind } from "#db/words/report-kinds";
import type { RestrictionScope } from "#db/words/restriction-scopes";
import { REPORT_FORMS } from "~/features/reports/rules";
import type { Email } from "~/platform/email/email";
import { firstCharacters } from "~/platform/forms/text-length";
import { decisionTitle, durationWords, isAppealable, originWords, ruleOf, yoursOf } from "../shared/statement";

/** Maximum number of characters of one quoted text in an email, and of all of them; the page shows more. */
const QUOTED = 300;
const QUOTED_IN_ALL = 3_000;

/** An email whose recipient is known only to the database. */
type Letter = Omit<Email, "recipient">;

/** The parts of a decision that a statement of reasons needs. */
interface StatedDecision {
  kind: ReportKind;
  action: DecisionAction;
  /** The key of the broken rule. */
  rule: string | null;
  /** The facts and the reasons, in the moderator's words. */
  reason: string;
  scopes: readonly RestrictionScope[] | null;
  /** The end as formatted by `emailDate`; null if there is none. */
  until: string | null;
  isFlagged: boolean;
  reportCount: number | null;
  /** The player's own words in question; empty if there are none. */
  quote: readonly string[];
}

/** Writes the statement of reasons for a decision. @param origin this site's, for links */
export function decisionEmail(decision: StatedDecision, origin: string): Letter {
  const { kind, action, reason, quote } = decision;
  const duration = durationWords(action, decision.until);
  const rule = ruleOf(decision.rule);
  const words = firstCharacters(quote.map((text) => firstCharacters(text, QUOTED)).join(" · "), QUOTED_IN_ALL);
  const title = decisionTitle(decision);
  return {
    subject: `${title}: a decision by Lineup's moderators`,
    paragraphs: [
      [`${title}.`, duration].filter(Boolean).join(" "),
      ...(words ? [`It's about ${yoursOf(kind)}: “${words}”`] : []),
      `The facts and our reasons: ${reason}`,
      ...(rule ? [`The rule: ${rule.title} (${origin}${rule.anchor})`] : []),
      originWords(decision),
      ...(isAppealable(action)
        ? [
            "If you think this is wrong, sign in, open the decision and choose Appeal. You have six months. Someone other than the moderator who decided will answer you. You can also go to court, or to a certified out-of-court dispute settlement body.",
          ]
        : []),
    ],
    action: { label: "See the decision", link: `${origin}/account/decisions` },
  };
}

/** The kind of decision that was undone. Undoing a restoration hides the player's content again. */
export type Undone = "suspension" | "restoration" | "other";

/** Tells a player that a decision about them was undone. @param reason in the moderator's words */
export function undoneEmail(undone: Undone, kind: ReportKind, reason: string, origin: string): Letter {
  const yours = yoursOf(kind);
  const { title, meaning } = {
    suspension: {
      title: "Your account's suspension was lifted",
      meaning: "You can use Lineup again, unless another decision still suspends you. Your closed posts stay closed.",
    },
    restoration: {
      title: `We've hidden ${yours} again`,
      meaning:
        "We had restored it, and have now undone that. The decision to hide it stands as before. You can appeal it if you haven't yet.",
    },
    other: {
      title: `A decision about ${yours} was undone`,
      meaning: "It no longer has any effect. If there are other decisions about you, they still stand.",
    },
  }[undone];
  return {
    subject: title,
    paragraphs: [`${title}. ${meaning}`, `Our reasons: ${reason}`],
    action: { label: "See the decision", link: `${origin}/account/decisions` },
  };
}

/** Tells a player how their appeal was answered. */
export function appealAnsweredEmail(outcome: "granted" | "rejected", answer: string, origin: string): Letter {
  return {
    subject: outcome === "granted" ? "Your appeal was granted" : "Your appeal was rejected",
    paragraphs: [
      outcome === "granted"
        ? "You were right: we've undone the decision you appealed."
        : "We've reviewed the decision you appealed, and it stands.",
      `The reasons: ${answer}`,
    ],
    action: { label: "See the decision", link: `${origin}/account/decisions` },
  };
}

/**
 * Tells a visitor without an account the outcome of their report. It says only whether we acted: the rest is between us
 * and the reported player.
 */
export function reportAnsweredEmail(kind: ReportKind, hasActed: boolean): Letter {
  return {
    subject: "We've answered your report",
    paragraphs: [
      `You reported ${REPORT_FORMS[kind].words} on Lineup. A moderator has looked at your report.`,
      hasActed ? "We found that our rules were broken, and we've acted." : "We found nothing that breaks our rules.",
      "Thank you for telling us.",
    ],
  };
}
