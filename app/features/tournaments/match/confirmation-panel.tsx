import { useEffect, useState } from "react";
import { ButtonLink } from "~/ui/button";
import { MAX_COUNTDOWN_MINUTES, minutesLeft } from "../play/phase";
import { Panel, PanelButton } from "./panel";
import type { MatchView } from "./present-match.server";

export function Confirmation({ match, here }: { match: MatchView; here: string }) {
  const { report, may, tournament } = match;
  const left = useMinutesLeft(report?.left ?? 0);
  if (!report) return null;
  const isSoon = report.until !== null && report.minutes <= MAX_COUNTDOWN_MINUTES;
  const aside = report.until && (
    <p className="flex-none text-right text-meta text-muted">
      {isSoon ? (
        <>
          <span className="block font-display text-[1.5rem] leading-7 text-text tabular-nums">{left} min</span>
          left of {report.minutes}
        </>
      ) : (
        <>
          until{" "}
          <time dateTime={report.until.iso} title={report.until.exact}>
            {report.until.text}
          </time>
        </>
      )}
    </p>
  );
  const asked = report.captain && report.since && (
    <>
      {report.captain} has been asked since{" "}
      <time dateTime={report.since.iso} title={report.since.exact}>
        {report.since.text}
      </time>
      .{" "}
    </>
  );
  return (
    <Panel
      rail="warn"
      title={may.confirm ? "Is this how it ended?" : `${report.other} has to confirm`}
      text={
        may.confirm ? (
          `${report.by} reported this score. If you don't answer, it counts.`
        ) : (
          <>
            {asked}If nobody answers, {report.isOwn ? "your" : "the"} report counts.
          </>
        )
      }
      aside={aside}
    >
      {isSoon && (
        <div aria-hidden="true" className="match-minutes">
          {Array.from({ length: report.minutes }, (_, minute) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a minute's position identifies it
            <i key={minute} data-left={minute < left || undefined} />
          ))}
        </div>
      )}
      {may.confirm && (
        <div className="mt-4 flex flex-wrap gap-2">
          <PanelButton
            intent="confirm"
            expects={report.reportedAt}
            variant="primary"
            busyLabel="Confirming"
            className=""
          >
            Confirm
          </PanelButton>
          <ButtonLink to={`${here}/dispute`} preventScrollReset>
            Dispute
          </ButtonLink>
          <p className="w-full text-meta text-muted">
            If you dispute it, {tournament.host ?? "an organiser"} decides. You can say what happened.
          </p>
        </div>
      )}
    </Panel>
  );
}

/**
 * Returns the whole minutes that are left; with JavaScript, they count down.
 * @param atFirst the milliseconds that were left when the page was loaded. The browser's clock only measures the time
 *   since then, because it may be wrong by minutes.
 */
function useMinutesLeft(atFirst: number): number {
  const [left, setLeft] = useState(minutesLeft(atFirst, 0));
  useEffect(() => {
    const loadedAt = Date.now();
    const count = () => setLeft(minutesLeft(atFirst, Date.now() - loadedAt));
    count();
    const timer = setInterval(count, 5_000);
    return () => clearInterval(timer);
  }, [atFirst]);
  return left;
}
