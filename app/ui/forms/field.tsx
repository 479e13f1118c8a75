import { type ComponentPropsWithoutRef, type ReactNode, useEffect, useState } from "react";
import { WarningIcon } from "../icons";
import type { LengthCounter } from "./length-counter";

/** The props of every field, besides the native attributes of its control. */
export type FieldBase = {
  label: string;
  name: string;
  id: string;
  /** Error sentences; the field is invalid if there are any. */
  errors?: readonly string[];
  hint?: ReactNode;
  /** Shows "optional" beside the label, outside the accessible name. */
  optional?: boolean;
  /** Decoration to the left of the value: `#`, or the glyph of the chosen rank or role. */
  prefix?: ReactNode;
  /** Beside the label, on the right: a link such as "Forgot password?". */
  aside?: ReactNode;
};

/** A text's limit in characters. A counter appears as the text gets close to it. `maxLength` would cut pasted text. */
type Limited = { limit?: number };

export type Native<Tag extends "input" | "textarea" | "select"> = Omit<
  ComponentPropsWithoutRef<Tag>,
  keyof FieldBase | "className" | "maxLength"
> & {
  /** Class of the whole field, for its place in the form. */
  className?: string;
};

/**
 * Returns the `aria-*` attributes that link a control to its error, hint and counter: ids `${id}-error`, `${id}-hint`,
 * `${id}-length`.
 */
export function describe({ id, errors, hint, limit }: Pick<FieldBase, "id" | "errors" | "hint"> & Limited) {
  const invalid = Boolean(errors?.length);
  const ids = [invalid && `${id}-error`, hint && `${id}-hint`, limit && !invalid && `${id}-length`]
    .filter(Boolean)
    .join(" ");
  return { "aria-invalid": invalid || undefined, "aria-describedby": ids || undefined };
}

/** A field's error: icon and sentence, in the element that its control refers to. Renders nothing without errors. */
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

export function Frame(props: FieldBase & Limited & { className?: string; children: ReactNode }) {
  const { label, id, errors, hint, optional, aside, limit, className = "", children } = props;
  return (
    <div className={`field ${className}`.trimEnd()}>
      <div className="field-head">
        <label htmlFor={id}>{label}</label>
        {aside ?? (optional && <span className="field-optional text-muted">optional</span>)}
        {limit && <Counter id={id} limit={limit} />}
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

/**
 * The counter of a text, loaded with the first field that has a limit, because pages whose fields have none don't need
 * it.
 */
function Counter(props: { id: string; limit: number }) {
  const [loaded, setLoaded] = useState<{ Counter: typeof LengthCounter }>();
  useEffect(() => {
    import("./length-counter").then(
      (module) => setLoaded({ Counter: module.LengthCounter }),
      () => {}, // Offline: the server's answer will report a text that is too long.
    );
  }, []);
  return loaded ? <loaded.Counter {...props} /> : <span id={`${props.id}-length`} hidden />;
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

/**
 * Sorts a field's props.
 * @returns `frame` for `Frame`, `prefix` for the decoration, and `control`: the native attributes of the control, with
 *   its id, name and class, and the `aria-*` attributes that link it to its error, hint and counter
 */
export function wire<Props extends FieldBase & Limited & { className?: string }>(props: Props) {
  const { label, name, id, errors, hint, optional, prefix, aside, className, limit, ...native } = props;
  return {
    frame: { label, name, id, errors, hint, optional, aside, limit, className },
    prefix,
    control: {
      ...native,
      ...describe({ id, errors, hint, limit }),
      id,
      name,
      className: `control ${prefixClass(prefix)}`.trimEnd(),
    },
  };
}

/** A single-line text field with its label, hint and error. Accepts every native attribute of `<input>`. */
export function TextField({ type = "text", ...props }: FieldBase & Limited & Native<"input">) {
  const { frame, prefix, control } = wire(props);
  return (
    <Frame {...frame}>
      <div className="relative">
        <Prefix>{prefix}</Prefix>
        <input {...control} type={type} />
      </div>
    </Frame>
  );
}

/** A text field of several lines that grows with its text. Accepts every native attribute of `<textarea>`. */
export function TextAreaField({ rows = 3, ...props }: Omit<FieldBase, "prefix"> & Limited & Native<"textarea">) {
  const { frame, control } = wire(props);
  return (
    <Frame {...frame}>
      <textarea {...control} rows={rows} />
    </Frame>
  );
}

/** A native select; `children` are its `<option>`s. A glyph may be shown to the left of the value (`prefix`). */
export function SelectField(props: FieldBase & Native<"select">) {
  const { frame, prefix, control } = wire(props);
  return (
    <Frame {...frame}>
      <div className="select">
        <Prefix>{prefix}</Prefix>
        <select {...control} />
      </div>
    </Frame>
  );
}
