import type { MapResult, MatchLength } from "~/game/scores";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError } from "~/ui/forms/field";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { gameOf, mapFields, mapNumbers, type ScoreFields, shownIn } from "../play/schema";
import { refill, ScoreRows, scoreDefaults, scoreLabels } from "./score-rows";

/** The organiser's form for deciding a match: by its score, or against the team that forfeits. */
export function DecisionForm({
  reply,
  length,
  teams,
  shown,
  maps,
  report,
  closeTo,
}: {
  reply: FormReply | undefined;
  length: MatchLength;
  teams: readonly [string, string];
  /** The value of the hidden field `shown` (see `writeShown`). */
  shown: string;
  /** The maps reported by a captain. */
  maps: readonly MapResult[];
  /** The captain's report in words; null if there is none. */
  report: string | null;
  closeTo: string;
}) {
  const sides = [
    { head: teams[0], won: teams[0], starts: `${teams[0]} starts` },
    { head: teams[1], won: teams[1], starts: `${teams[1]} starts` },
  ] as const;
  const scores = scoreDefaults(maps, length, 1);
  const { formProps, fields, props, summary, busy } = useServerForm<ScoreFields & { decision: string }>({
    id: "decide",
    reply,
    defaultValue: { decision: "score", ...scores },
    labels: { decision: "Decision", ...scoreLabels(length, sides) },
  });
  const entered = reply?.result.initialValue;
  const isOutdated = reply?.isOutdated;
  // If the match has changed, the rows are filled in again, unless the organiser has typed another score for the same
  // teams and game.
  const isFilledAgain =
    isOutdated && (gameOf(String(entered?.shown)) !== gameOf(shown) || writeRows(entered, length) === entered?.filled);
  const decision = props("decision");
  const chosen = fields.decision.initialValue ?? "score";
  const choices = [
    { value: "score", label: "By this score" },
    { value: "forfeit-1", label: `${teams[0]} forfeits` },
    { value: "forfeit-2", label: `${teams[1]} forfeits` },
  ];
  return (
    <DialogForm {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} />
      <NextStep next={reply?.next} />
      {report && (
        <p className="wrap-anywhere">
          {report} {isFilledAgain && "This score is filled in below."}
        </p>
      )}
      <fieldset id={decision.id} aria-describedby={decision.errors.length > 0 ? `${decision.id}-error` : undefined}>
        <legend className="mb-1.5 text-meta font-semibold">Decision</legend>
        {choices.map(({ value, label }) => (
          <label key={value} className="flex min-h-8 items-center gap-2.5 wrap-anywhere touch:min-h-11">
            <input
              type="radio"
              name="decision"
              value={value}
              defaultChecked={chosen === value}
              required
              className="checkbox rounded-full!"
            />
            {label}
          </label>
        ))}
        <FieldError id={decision.id} errors={decision.errors} />
      </fieldset>
      <input type="hidden" name="shown" value={shownIn(reply, shown)} />
      <input
        type="hidden"
        name="filled"
        value={entered && !isFilledAgain ? String(entered.filled ?? "") : writeRows(scores, length)}
      />
      <ScoreRows
        key={isFilledAgain ? shown : ""}
        length={length}
        leftSide={1}
        sides={sides}
        props={isFilledAgain ? refill(props, scores) : props}
      />
      <p className="text-meta text-muted">It counts right away. We'll tell both teams.</p>
      <DialogFooter closeTo={closeTo}>
        <Button variant="primary" busy={busy} busyLabel="Deciding">
          Decide
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}

/** Writes the rows of a score form as one string, to compare their current values with the initial ones. */
const writeRows = (values: Record<string, unknown> | null | undefined, length: MatchLength): string =>
  mapNumbers(length)
    .flatMap((number) => Object.values(mapFields(number)))
    .map((name) => values?.[name] ?? "")
    .join();
