import { useNavigation } from "@remix-run/react";
import { type MouseEvent, useEffect, useRef } from "react";
import { WarningIcon } from "../icons";

export type FieldProblem = {
  fieldId: string;
  label: string;
  message: string;
  /** Whether a required value is missing. If all problems are of this kind, the heading says "missing". */
  missing?: boolean;
  /** Whether the field has changed since the response. If so, its error no longer shows. */
  edited?: boolean;
};

function summaryHeading(errors: readonly FieldProblem[]): string {
  const missing = errors.every((error) => error.missing);
  if (errors.length === 1) return missing ? "One thing is missing." : "Check this:";
  return missing ? `${errors.length} things are missing.` : "Check these:";
}

/** Rewords a sentence to follow "Title: "; proper names keep their capital. */
function afterColon(sentence: string): string {
  return /^(Riot|Discord|I)\b/.test(sentence) ? sentence : sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function focusField(fieldId: string) {
  const field = document.getElementById(fieldId);
  const target = field?.matches("fieldset") ? field.querySelector<HTMLElement>("input") : field;
  target?.focus();
  return Boolean(target);
}

/**
 * The list of errors at the top of a form: a link to each invalid field, and errors that belong to no field. It is
 * announced (`role="alert"`), and with JavaScript it focuses the first invalid field each time a response arrives.
 */
export function ErrorSummary({
  errors = [],
  formErrors = [],
  atFields = false,
  className = "",
}: {
  errors?: readonly FieldProblem[];
  formErrors?: readonly string[];
  /** Whether the fields' own errors are enough: in a form of two fields, links would only repeat them. */
  atFields?: boolean;
  className?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const idle = useNavigation().state === "idle";
  const first = errors[0]?.fieldId;
  const responseKey = [...errors.map((error) => error.fieldId + error.message), ...formErrors].join("\n");
  // Depends on `responseKey`, which identifies the response, because the arrays are new objects in every render.
  useEffect(() => {
    if (!idle || !responseKey) return;
    if (!first || !focusField(first)) box.current?.focus();
  }, [idle, responseKey, first]);

  const listed = atFields ? [] : errors.filter((error) => !error.edited);
  if (!listed.length && !formErrors.length) return null;

  // A fragment navigation would make the router drop the action's response, and these errors with it.
  function follow(event: MouseEvent<HTMLAnchorElement>, fieldId: string) {
    if (focusField(fieldId)) event.preventDefault();
  }
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`error-summary flex gap-2.5 rounded-r-control border-l-4 border-danger bg-danger-wash px-3.5 py-2.5 text-[0.875rem] leading-5 ${className}`}
    >
      <WarningIcon className="mt-0.5 size-4 text-danger" />
      <div className="min-w-0 space-y-1">
        {formErrors.map((message) => (
          <p key={message} className="font-semibold">
            {message}
          </p>
        ))}
        {listed.length === 1 && listed[0] ? (
          <p className="font-semibold">
            {summaryHeading(listed)} <SummaryLink problem={listed[0]} onClick={follow} />
          </p>
        ) : (
          listed.length > 1 && (
            <>
              <p className="font-semibold">{summaryHeading(listed)}</p>
              <ul className="[&_a]:inline-block [&_a]:py-0.5">
                {listed.map((error) => (
                  <li key={error.fieldId + error.message}>
                    <SummaryLink problem={error} onClick={follow} />
                  </li>
                ))}
              </ul>
            </>
          )
        )}
      </div>
    </div>
  );
}

function SummaryLink({
  problem,
  onClick,
}: {
  problem: FieldProblem;
  onClick: (event: MouseEvent<HTMLAnchorElement>, fieldId: string) => void;
}) {
  return (
    <a
      href={`#${problem.fieldId}`}
      onClick={(event) => onClick(event, problem.fieldId)}
      className="font-semibold underline underline-offset-3"
    >
      {problem.label}: {afterColon(problem.message)}
    </a>
  );
}
