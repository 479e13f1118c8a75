import { Form, useNavigation } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { REGIONS, type Region } from "~/game/regions";
import { Button } from "../button";
import { FilterIcon } from "../icons";
import { SelectField } from "./field";

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
  const fold = currentTarget.closest("details");
  fold?.removeAttribute("open");
  fold?.querySelector("summary")?.focus({ preventScroll: true });
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

/** The region filter of a `FilterForm`. */
export function RegionFilter({ region }: { region: Region | null }) {
  return (
    <SelectField id="filter-region" name="region" label="Region" defaultValue={region ?? ""}>
      <option value="">All regions</option>
      {REGIONS.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}
