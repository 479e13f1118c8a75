import { LinkedText } from "~/features/messages/shared/linked-text";
import { Link } from "~/ui/link";

/** The leaving page's path for each suspicious address in the evidence of a page: see `leavingLinks`. */
export type LeavingLinks = Record<string, string> | undefined;

/** The search parameter that shows evidence by players whom the viewer has blocked. */
export const SHOW_EVIDENCE = "evidence";

/** Replaces evidence by a player whom the viewer has blocked. */
export const HiddenEvidence = () => (
  <p className="mt-3 border-l-2 border-edge pl-3.5">
    Evidence from a player you blocked{" "}
    <Link to={`?${SHOW_EVIDENCE}`} preventScrollReset className="link">
      Show
    </Link>
  </p>
);

/**
 * The evidence that a team gave with its dispute.
 * @param report the page for reporting its author; null for the author's own evidence
 */
export const Evidence = ({ text, report, leaving }: { text: string; report: string | null; leaving: LeavingLinks }) => (
  <>
    <blockquote dir="auto" className="mt-3 border-l-2 border-edge pl-3.5 wrap-anywhere whitespace-pre-line">
      <LinkedText text={text} leaving={leaving} />
    </blockquote>
    {report && (
      <Link to={report} className="link mt-1 inline-block">
        Report
      </Link>
    )}
  </>
);
