import { Evidence, HiddenEvidence, type LeavingLinks } from "./evidence";
import type { MatchView } from "./present-match.server";

/** The log of a match, oldest entry first. */
export function MatchLog({ log, leaving }: { log: MatchView["log"]; leaving: LeavingLinks }) {
  if (log.length === 0) return null;
  return (
    <section aria-labelledby="match-log" className="border-t border-line pt-4">
      <h2 id="match-log" className="font-display text-rail">
        What happened
      </h2>
      <ol className="mt-2 grid gap-1.5 text-meta text-muted">
        {log.map(({ id, words, time, evidence, isHidden, report }) => (
          <li key={id} className="wrap-anywhere">
            {words},{" "}
            <time dateTime={time.iso} title={time.exact}>
              {time.text}
            </time>
            {evidence && <Evidence text={evidence} report={report} leaving={leaving} />}
            {isHidden && <HiddenEvidence />}
          </li>
        ))}
      </ol>
    </section>
  );
}
