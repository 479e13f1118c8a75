import { Form, useNavigation } from "@remix-run/react";
import type { ComponentType, FormEvent, ReactNode } from "react";
import type { Choice, FieldValues, SearchParam, SearchParams } from "~/platform/search-params/search-params";
import { Button } from "../button";
import { FilterIcon } from "../icons";
import { SelectField, TextField } from "./field";

/**
 * The filters of a list: a GET form, so that they are part of the URL and survive reloading and sharing. On phones the
 * form is folded behind a button with the number of active filters.
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
  /** The active filters: a change remounts the form, so that its fields show the URL's values again. */
  values: object;
  className?: string;
  formClassName: string;
  preventScrollReset?: boolean;
  /** The fields, and an `ApplyFilters`. */
  children: ReactNode;
}) {
  return (
    <details className={`filters ${className}`}>
      <summary className="btn" data-variant="secondary" data-size="normal">
        <span>
          <FilterIcon className="size-[18px]" />
          Filters
          {count > 0 && <span className="text-meta text-muted tabular-nums">{count}</span>}
        </span>
      </summary>
      <Form
        key={JSON.stringify(values)}
        method="get"
        action={list}
        aria-label={label}
        preventScrollReset={preventScrollReset}
        onSubmit={fold}
        className={formClassName}
      >
        {children}
      </Form>
    </details>
  );
}

/** Folds the form on phones, so that the list comes first, and focuses its button; wide screens don't fold. */
function fold({ currentTarget }: FormEvent<HTMLFormElement>) {
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

/** The props of a checkbox. */
export interface FlagProps {
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
 * @param Flag renders a checkbox
 */
export function FilterFields<Params extends SearchParams>({
  params,
  values,
  hints = {},
  Flag,
}: {
  params: Params;
  values: FieldValues<Params>;
  hints?: { [Name in keyof Params]?: string | false | undefined };
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
      <SelectField key={name} {...field} defaultValue={defaultValue}>
        {param.any && <option value="">{param.any}</option>}
        <Options options={param.options} />
      </SelectField>
    ) : (
      <TextField
        key={name}
        {...field}
        {...(kind === "text" ? param.input : { type: "date" })}
        defaultValue={defaultValue}
        className="filters-text"
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
