import { Form } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { FieldError, TextAreaField } from "~/ui/forms/field";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { CheckIcon } from "~/ui/icons";
import { FEEDBACK_TAGS, MAX_COMMENT_LENGTH, RATING_WORDS, RATINGS } from "./rules";
import { StarsField } from "./stars-field";

/** The form's initial values. */
export interface FeedbackValues {
  /** The id of the existing feedback, or of the feedback to create. */
  id: string;
  /** "1" to "5"; empty if nothing is chosen. */
  rating: string;
  tags: string[];
  comment: string;
  /** The version of the existing feedback. */
  version?: string | undefined;
}

/** The feedback form for one player: stars, what was good, and a comment. */
export function FeedbackForm({
  action,
  reply,
  player,
  values,
  isChange,
  closeTo,
}: {
  action: string;
  reply: FormReply | undefined;
  /** The name of the reviewed player. */
  player: string;
  values: FeedbackValues;
  /** Whether feedback was already given and is still hidden. */
  isChange: boolean;
  /** Where `Cancel` leads; without it, there is no such link. */
  closeTo?: string | undefined;
}) {
  const { formProps, fields, props, summary, busy } = useServerForm<{
    id: string;
    rating: string;
    tags: string[];
    comment: string;
    version?: string;
  }>({
    id: "feedback-form",
    reply,
    defaultValue: values,
    labels: { rating: "Rating", tags: "What was good", comment: "Comment" },
  });
  const initial = reply?.result.initialValue ?? values;
  const tags = [initial.tags ?? []].flat().map(String);
  const tagErrors = props("tags").errors;
  return (
    <Form method="post" replace action={action} preventScrollReset {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={[...summary.formErrors, ...(reply?.result.error?.id ?? [])]} />
      <NextStep next={reply?.next} />
      <input type="hidden" name="id" value={String(initial.id ?? values.id)} />
      {values.version && <input type="hidden" name="version" value={props("version").defaultValue} />}
      <StarsField
        {...props("rating")}
        words={RATINGS.map((stars) => RATING_WORDS[stars])}
        defaultValue={String(initial.rating ?? "")}
      />
      <fieldset
        id={fields.tags.id}
        aria-describedby={tagErrors.length > 0 ? `${fields.tags.id}-error` : undefined}
        className="min-w-0"
      >
        <legend className="mb-1.5 flex w-full items-baseline justify-between gap-3 text-meta">
          <span className="font-semibold">What was good</span>
          <span aria-hidden="true" className="text-muted">
            optional
          </span>
        </legend>
        <div className="flex flex-wrap gap-2">
          {FEEDBACK_TAGS.map((tag) => (
            <label key={tag} className="choice">
              <input
                type="checkbox"
                name="tags"
                value={tag}
                defaultChecked={tags.includes(tag)}
                aria-invalid={tagErrors.length > 0 || undefined}
              />
              <CheckIcon className="choice-tick size-3.5" />
              {tag}
            </label>
          ))}
        </div>
        <FieldError id={fields.tags.id} errors={tagErrors} />
      </fieldset>
      <TextAreaField {...props("comment")} limit={MAX_COMMENT_LENGTH} optional />
      <DialogFooter
        closeTo={closeTo}
        note={
          <>
            Hidden until <bdi>{player}</bdi> gives theirs, for a week at most. You can change it until then. After that
            it shows on their page, under your name.
          </>
        }
      >
        <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
          {isChange ? "Change Feedback" : "Send Feedback"}
        </Button>
      </DialogFooter>
    </Form>
  );
}
