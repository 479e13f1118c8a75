import { useNavigation } from "@remix-run/react";
import { type ComponentPropsWithoutRef, type MouseEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { ChevronIcon, WarningIcon } from "./icons";
import { useScripted } from "./use-scripted";

/** What every field takes, besides the native attributes of its control. */
type FieldBase = {
  label: string;
  name: string;
  id: string;
  /** Sentences; the field is invalid when there is one. */
  errors?: readonly string[];
  hint?: ReactNode;
  /** Says "optional" beside the label, outside the accessible name. */
  optional?: boolean;
  /** Decoration left of the value: `#`, or the glyph of the chosen rank or role. */
  prefix?: ReactNode;
  /** Beside the label, at the right: a link such as "Forgot password?". */
  aside?: ReactNode;
};

type Native<Tag extends "input" | "textarea" | "select"> = Omit<
  ComponentPropsWithoutRef<Tag>,
  keyof FieldBase | "className"
> & {
  /** Class of the whole field, for its place in the form. */
  className?: string;
};

/** The `aria-*` attributes that tie a control to its error and hint; ids `${id}-error` and `${id}-hint`. */
function describe({ id, errors, hint }: Pick<FieldBase, "id" | "errors" | "hint">) {
  const invalid = Boolean(errors?.length);
  const ids = [invalid && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ");
  return { "aria-invalid": invalid || undefined, "aria-describedby": ids || undefined };
}

/** A field's error: icon and sentence, in the element its control points at. Nothing without errors. */
export function FieldError({ id, errors }: { id: string; errors?: readonly string[] }) {
  if (!errors?.length) return null;
  return (
    <div id={`${id}-error`} className="mt-1.5 text-meta font-medium text-danger">
      {errors.map((error) => (
        <p key={error} className="flex gap-1.5">
          <WarningIcon className="mt-px size-4" />
          {error}
        </p>
      ))}
    </div>
  );
}

function Frame(props: FieldBase & { className?: string; children: ReactNode }) {
  const { label, id, errors, hint, optional, aside, className = "", children } = props;
  return (
    <div className={`field min-w-0 ${className}`}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-meta">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {aside ?? (optional && <span className="field-optional text-muted">optional</span>)}
      </div>
      {children}
      <FieldError id={id} errors={errors} />
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-meta text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}

function Prefix({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 left-[13px] grid place-items-center text-muted"
    >
      {children}
    </span>
  );
}

function prefixClass(prefix: ReactNode): string {
  if (!prefix) return "";
  return typeof prefix === "string" ? "has-prefix has-short-prefix" : "has-prefix";
}

/** A line of text with its label, hint and error. Takes every native attribute of `<input>`. */
export function TextField({
  label,
  name,
  id,
  errors,
  hint,
  optional,
  prefix,
  aside,
  className,
  type = "text",
  ...native
}: FieldBase & Native<"input">) {
  return (
    <Frame {...{ label, name, id, errors, hint, optional, aside, className }}>
      <div className="relative">
        <Prefix>{prefix}</Prefix>
        <input
          {...native}
          {...describe({ id, errors, hint })}
          id={id}
          name={name}
          type={type}
          className={`control ${prefixClass(prefix)}`}
        />
      </div>
    </Frame>
  );
}

/** A password with a button that shows it; the button appears once there is script to answer it. */
export function PasswordField({
  label,
  name,
  id,
  errors,
  hint,
  optional,
  prefix: _prefix,
  aside,
  className,
  type: _type,
  ...native
}: FieldBase & Native<"input">) {
  const scripted = useScripted();
  const [shown, setShown] = useState(false);
  return (
    <Frame {...{ label, name, id, errors, hint, optional, aside, className }}>
      <div className="relative">
        <input
          {...native}
          {...describe({ id, errors, hint })}
          id={id}
          name={name}
          type={shown ? "text" : "password"}
          className="control has-suffix"
          spellCheck={false}
          autoCapitalize="none"
        />
        {scripted && (
          <button
            type="button"
            aria-controls={id}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 min-w-11 cursor-pointer rounded-control px-[13px] text-meta font-semibold text-muted hover:text-text"
          >
            Show
          </button>
        )}
      </div>
    </Frame>
  );
}

/** Several lines of text; grows with what is typed. Takes every native attribute of `<textarea>`. */
export function TextAreaField({
  label,
  name,
  id,
  errors,
  hint,
  optional,
  prefix: _prefix,
  aside,
  className,
  rows = 3,
  ...native
}: FieldBase & Native<"textarea">) {
  return (
    <Frame {...{ label, name, id, errors, hint, optional, aside, className }}>
      <textarea {...native} {...describe({ id, errors, hint })} id={id} name={name} rows={rows} className="control" />
    </Frame>
  );
}

/** A native select; `children` are its `<option>`s. A glyph, if any, is decoration left of the value (`prefix`). */
export function SelectField({
  label,
  name,
  id,
  errors,
  hint,
  optional,
  prefix,
  aside,
  className,
  children,
  ...native
}: FieldBase & Native<"select">) {
  return (
    <Frame {...{ label, name, id, errors, hint, optional, aside, className }}>
      <div className="relative">
        <Prefix>{prefix}</Prefix>
        <select
          {...native}
          {...describe({ id, errors, hint })}
          id={id}
          name={name}
          className={`control ${prefixClass(prefix)}`}
        >
          {children}
        </select>
        <ChevronIcon className="pointer-events-none absolute inset-y-0 right-[11px] my-auto size-4" />
      </div>
    </Frame>
  );
}

export type FieldProblem = {
  fieldId: string;
  label: string;
  message: string;
  /** Nothing was given where something is needed: the summary then says "missing". */
  missing?: boolean;
};

function summaryHeading(errors: readonly FieldProblem[]): string {
  const missing = errors.every((error) => error.missing);
  if (errors.length === 1) return missing ? "One thing is missing." : "One thing needs a look.";
  return missing ? `${errors.length} things are missing.` : `${errors.length} things need a look.`;
}

/** The sentence as it reads after "Title: "; names of things keep their capital. */
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
 * What is wrong, on top of a form: a link to each field, and sentences that belong to no field. It is announced
 * (`role="alert"`) and, with script, moves the focus to the first bad field each time an answer arrives.
 */
export function ErrorSummary({
  errors = [],
  formErrors = [],
  atFields = false,
  className = "",
}: {
  errors?: readonly FieldProblem[];
  formErrors?: readonly string[];
  /** In a form of two fields a list of links would say it all twice: the fields' own errors are enough. */
  atFields?: boolean;
  className?: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const idle = useNavigation().state === "idle";
  const first = errors[0]?.fieldId;
  const said = [...errors.map((error) => error.fieldId + error.message), ...formErrors].join("\n");
  // `said` stands for the answer itself: the arrays are new objects on every rendering.
  useEffect(() => {
    if (!idle || !said) return;
    if (!first || !focusField(first)) box.current?.focus();
  }, [idle, said, first]);

  const listed = atFields ? [] : errors;
  if (!listed.length && !formErrors.length) return null;

  // A fragment navigation would make the router drop the action's answer, and with it these very errors.
  function follow(event: MouseEvent<HTMLAnchorElement>, fieldId: string) {
    if (focusField(fieldId)) event.preventDefault();
  }
  return (
    <div
      ref={box}
      role="alert"
      tabIndex={-1}
      className={`flex gap-2.5 rounded-r-control border-l-4 border-danger bg-danger-wash px-3.5 py-2.5 text-[0.875rem] leading-5 ${className}`}
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

/** What a post with 1, 2, 3 or 4 more players means. Party rules: Riot, VALORANT competitive party sizes. */
const PARTY_WORDS = [
  {
    count: "1",
    sum: "You and 1 player make two.",
    rule: "A duo can queue Competitive if your ranks are close enough.",
  },
  {
    count: "2",
    sum: "You and 2 players make three.",
    rule: "A trio can queue Competitive if your ranks are close enough.",
  },
  {
    count: "3",
    sum: "You and 3 players make four.",
    rule: "Parties of four can't queue Competitive; other modes are fine.",
  },
  { count: "4", sum: "You and 4 players make five.", rule: "A full five can queue with any ranks." },
] as const;

/**
 * "Players Needed": four native radios (accessible names 1 to 4) drawn as spots beside your own banner, filled up to
 * the chosen one. The words that explain the choice change by CSS alone and describe each radio.
 */
export function PlayersNeededField({
  name,
  id,
  defaultValue,
  letter,
  errors,
  autoFocus,
}: {
  name: string;
  id: string;
  defaultValue?: string | number | null;
  /** First letter of the author, on the banner. */
  letter: string;
  errors?: readonly string[];
  autoFocus?: boolean;
}) {
  const invalid = Boolean(errors?.length);
  return (
    <fieldset id={id} aria-describedby={invalid ? `${id}-error` : undefined} className="min-w-0">
      <legend className="mb-1 text-meta font-semibold">Players Needed</legend>
      <div className="players-needed">
        <div className="players-needed-spots">
          <span aria-hidden="true" className="u u-banner pb-0.5 text-section">
            {letter}
          </span>
          {PARTY_WORDS.map(({ count }, index) => (
            <label key={count} className="u u-misfit">
              <input
                type="radio"
                id={`${id}-${count}`}
                name={name}
                value={count}
                defaultChecked={String(defaultValue ?? "") === count}
                aria-describedby={`${id}-words-${count}`}
                aria-invalid={invalid || undefined}
                required
                autoFocus={autoFocus && index === 0}
              />
              {count}
            </label>
          ))}
        </div>
        <div className="min-w-[160px] flex-1 pt-3.5 text-meta leading-[19px]">
          <p className="players-needed-words text-muted" data-for="none">
            Choose how many players you look for.
          </p>
          {PARTY_WORDS.map(({ count, sum, rule }) => (
            <p key={count} id={`${id}-words-${count}`} className="players-needed-words text-muted" data-for={count}>
              <strong className="block font-semibold text-text">{sum}</strong> {rule}
            </p>
          ))}
        </div>
      </div>
      <FieldError id={id} errors={errors} />
    </fieldset>
  );
}
