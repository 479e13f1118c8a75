import { Form } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { useServerForm } from "~/ui/forms/use-server-form";
import { gameOf, type ScoreFields, shownIn } from "../play/schema";
import type { MatchView } from "./present-match.server";
import { refill, ScoreRows, scoreDefaults, scoreLabels } from "./score-rows";

const SIDES = [
  { head: "You", won: "You won", starts: "You start" },
  { head: "Them", won: "They won", starts: "They start", isOpponent: true },
] as const;

/** The captain's form for reporting a match's result, or changing the report. */
export function ReportForm({
  match,
  reply,
  isPrimary,
  children,
}: {
  match: MatchView;
  reply: FormReply | undefined;
  /** Whether reporting is the viewer's next step. */
  isPrimary: boolean;
  /** Other options, shown beside the button. */
  children: ReactNode;
}) {
  const { left, reportedMaps, report } = match;
  const scores = scoreDefaults(reportedMaps, match, left);
  const { formProps, props, summary, busy } = useServerForm<ScoreFields>({
    id: "report",
    reply,
    defaultValue: scores,
    labels: scoreLabels(match, SIDES),
  });
  const shown = shownIn(reply, match.shown);
  const [opened] = useState(shown);
  const entered = reply?.result.initialValue;
  // If other teams play now, or the same ones again, a score that was entered before isn't this game's.
  const isOtherGame = gameOf(shown) !== gameOf(entered ? String(entered.shown ?? "") : opened);
  return (
    <section aria-labelledby="report-score" className="border-t border-edge pt-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id="report-score" className="font-display text-section">
          Report Score
        </h2>
        <p className="text-meta text-muted">Captains only. You can change it until it is confirmed.</p>
      </div>
      <Form method="post" preventScrollReset {...formProps}>
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} className="mt-4" />
        <input type="hidden" name="intent" value="report" />
        <input type="hidden" name="shown" value={shown} />
        <ScoreRows
          key={gameOf(shown)}
          length={match}
          leftSide={left}
          sides={SIDES}
          props={isOtherGame ? refill(props, scores) : props}
        />
        <div className="mt-4 flex flex-wrap items-center justify-between gap-x-7 gap-y-3">
          {children}
          <Button
            variant={isPrimary ? "primary" : "secondary"}
            busy={busy}
            busyLabel="Reporting"
            className="flex-none max-md:w-full"
          >
            {report ? "Update Report" : "Report Score"}
          </Button>
        </div>
      </Form>
    </section>
  );
}
