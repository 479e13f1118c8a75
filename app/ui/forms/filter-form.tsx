import { Form, useLocation, useNavigation, useNavigationType } from "@remix-run/react";
import { type ComponentType, type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { Choice, FieldValues, SearchParam, SearchParams } from "~/platform/search-params/search-params";
import { Button } from "../button";
import { FilterIcon } from "../icons";
import { SelectField, TextField } from "./field";

/** The pause in typing after which a text field's filter applies, in milliseconds. */
const TYPING_PAUSE = 400;

/**
 * The filters of a list: a GET form, so that they are part of the URL and survive reloading and sharing. On phones the
 * form is folded behind a button with the number of active filters. With JavaScript a filter applies as soon as it
 * changes, the form keeps its focus, and the address names only the filters that are set.
 */
export function FilterForm({
  list,
  label,
  count,
  values,
  className = "",
  formClassName,
  preventScrollReset,
  children,
}: {
  /** The list's address, without the query string. */
  list: string;
  /** The form's name for assistive technology: "Filter posts". */
  label: string;
  /** The number of active filters. */
  count: number;
  /** The active filters: a change from elsewhere remounts the form, so that its fields show the URL's values again. */
  values: object;
  className?: string;
  formClassName: string;
  preventScrollReset?: boolean;
  /**
   * The fields, and an `ApplyFilters`. A hidden field can name other fields in `data-with`, separated by spaces; it is
   * then submitted only if one of them has a value.
   */
  children: ReactNode;
}) {
  const { formKey, applyOnChange, rememberSubmit } = useApplyOnChange(list, JSON.stringify(values));
  return (
    <details className={`filters ${className}`}>
      <summary className="btn">
        <span>
          <FilterIcon className="size-[18px]" />
          Filters
          {count > 0 && <span className="text-meta text-muted tabular-nums">{count}</span>}
        </span>
      </summary>
      <Form
        key={formKey}
        ref={shortenAddress}
        method="get"
        action={list}
        aria-label={label}
        preventScrollReset={preventScrollReset}
        onSubmit={(event) => {
          rememberSubmit(event.currentTarget);
          fold(event);
        }}
        onChange={applyOnChange}
        className={formClassName}
      >
        {children}
      </Form>
    </details>
  );
}

/** Leaves fields without a value out of the form's data, and with them the hidden fields that belong to them. */
function shortenAddress(form: HTMLFormElement | null) {
  form?.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
    for (const field of form.querySelectorAll<HTMLInputElement>("[data-with]")) {
      if (!field.dataset.with?.split(" ").some((name) => formData.has(name))) formData.delete(field.name);
    }
  });
}

/**
 * Applies filters as they change: choices immediately, texts after a pause.
 * @param list the list's address, without the query string
 * @param values the list's filters as a string, which is compared to notice changes
 * @returns the form's handlers and its key, which changes only if the filters came from elsewhere
 */
function useApplyOnChange(list: string, values: string) {
  const { location: target } = useNavigation();
  const { key, search } = useLocation();
  const isPop = useNavigationType() === "POP";
  /** Query strings that this form has submitted and that haven't arrived yet, oldest first. */
  const submitted = useRef<string[]>([]);
  const shown = useRef({ key, values, formKey: 0 });
  const timer = useRef(0);
  if (shown.current.key !== key) {
    // A page that this form asked for leaves its fields alone: the player may have changed them again since.
    const index = isPop ? -1 : submitted.current.lastIndexOf(search);
    // Any other page remounts the form if the filters have changed, or if it arrives instead of one the form asked for.
    const isStale = index < 0 && (shown.current.values !== values || submitted.current.length > 0);
    submitted.current = index < 0 ? [] : submitted.current.slice(index + 1);
    shown.current = { key, values, formKey: shown.current.formKey + (isStale ? 1 : 0) };
  }
  useEffect(() => {
    // A navigation from elsewhere, such as `Reset`, replaces the filters that wait for the pause in typing.
    const isOwn = target?.pathname === list && submitted.current.includes(target.search);
    if (target && !isOwn) clearTimeout(timer.current);
  }, [target, list]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const applyOnChange = ({ target: field, currentTarget }: FormEvent<HTMLFormElement>) => {
    const isText = field instanceof HTMLInputElement && field.type !== "checkbox";
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => currentTarget.requestSubmit(), isText ? TYPING_PAUSE : 0);
  };
  const rememberSubmit = (form: HTMLFormElement) => {
    clearTimeout(timer.current);
    submitted.current.push(searchOf(form));
  };
  return { formKey: shown.current.formKey, applyOnChange, rememberSubmit };
}

/** The query string of a GET form's address, with its question mark. */
function searchOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return fields.length > 0 ? `?${new URLSearchParams(fields)}` : "";
}

/** On phones, folds the form once it is submitted by hand, so that the list comes first, and focuses its button. */
function fold({ currentTarget, nativeEvent }: FormEvent<HTMLFormElement>) {
  if (!(nativeEvent as SubmitEvent).submitter) return;
  const details = currentTarget.closest("details");
  details?.removeAttribute("open");
  details?.querySelector("summary")?.focus({ preventScroll: true });
}

/** The submit button of a `FilterForm`: busy while its `list` loads. */
export function ApplyFilters({ list, className }: { list: string; className?: string }) {
  const { location, state } = useNavigation();
  return (
    // The id lets the remounted form keep the focus.
    <Button
      id="apply-filters"
      busy={state === "loading" && location.pathname === list}
      busyLabel="Applying"
      className={className}
    >
      Apply
    </Button>
  );
}

/** A filter that is on or off. */
export function Tick({ label, hint, ...native }: FlagProps) {
  const { id } = native;
  return (
    <div>
      <label htmlFor={id} className="flex min-h-8 cursor-pointer items-center gap-2.5 font-semibold touch:min-h-11">
        <input type="checkbox" {...native} aria-describedby={hint && `${id}-hint`} className="checkbox" />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="pl-[30px] text-meta text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

/** The props of a checkbox. */
interface FlagProps {
  id: string;
  name: string;
  label: string;
  hint?: string | undefined;
  defaultChecked: boolean;
}

/**
 * The fields of a `FilterForm`, in the order of their declaration. Parameters without a label have none.
 * @param params the parameters to show fields for: all of the list's, or some of them
 * @param hints hints by parameter name, shown below the fields
 * @param glyphs glyphs of the chosen options by parameter name, shown in the selects. After a choice, the new glyph
 *   arrives with the filtered list. Without script it couldn't follow the choice, so callers hide the glyphs then.
 * @param Flag renders a checkbox
 */
export function FilterFields<Params extends SearchParams>({
  params,
  values,
  hints = {},
  glyphs = {},
  Flag,
}: {
  params: Params;
  values: FieldValues<Params>;
  hints?: { [Name in keyof Params]?: string | false | undefined };
  glyphs?: { [Name in keyof Params]?: ReactNode };
} & ([Extract<Params[keyof Params], { kind: "flag"; label: string }>] extends [never]
  ? { Flag?: never }
  : { Flag: ComponentType<FlagProps> })) {
  return Object.entries<SearchParam>(params).map(([name, param]) => {
    const { kind, label } = param;
    if (!label) return null;
    const field = { id: `filter-${name}`, name, label, hint: (hints[name] || undefined) as string | undefined };
    const value = values[name as keyof typeof values] as string | number | boolean | null;
    if (Flag && kind === "flag") return <Flag key={name} {...field} defaultChecked={value as boolean} />;
    const defaultValue = (value as string | number | null) ?? "";
    return kind === "choice" ? (
      <SelectField key={name} {...field} prefix={glyphs[name]} defaultValue={defaultValue}>
        {param.any && <option value="">{param.any}</option>}
        <Options options={param.options} />
      </SelectField>
    ) : (
      <TextField
        key={name}
        {...field}
        {...(kind === "text" ? param.input : { type: "date" })}
        defaultValue={defaultValue}
      />
    );
  });
}

/** An option whose label equals its value gets no `value` attribute. */
function Options({ options }: Pick<Choice, "options">) {
  return Object.entries<string | number | readonly string[]>({ ...options }).map(([value, label]) =>
    typeof label === "object" ? (
      <optgroup key={value} label={value}>
        <Options options={label} />
      </optgroup>
    ) : (
      <option key={value} value={Array.isArray(options) ? undefined : value}>
        {label}
      </option>
    ),
  );
}
