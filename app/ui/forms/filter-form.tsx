import { Form, useNavigation } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { REGIONS, type Region } from "~/game/regions";
import { Button } from "../button";
import { FilterIcon } from "../icons";
import { SelectField } from "./field";

/**
 * The filters of a list: a GET form, so that the address holds them and a reload or a friend sees the same. On phones it
 * waits behind a press, which counts what is set.
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
  /** The list's address, without its query. */
  list: string;
  /** The form's name for assistive technology: "Filter posts". */
  label: string;
  /** How many filters are set. */
  count: number;
  /** What is set: another set makes a new form, whose fields show the address again. */
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
        onSubmit={foldAway}
        className={formClassName}
      >
        {children}
      </Form>
    </details>
  );
}

/** On phones the list comes first again, and the focus waits on the press; on wide screens there is nothing to fold. */
function foldAway({ currentTarget }: FormEvent<HTMLFormElement>) {
  const fold = currentTarget.closest("details");
  fold?.removeAttribute("open");
  fold?.querySelector("summary")?.focus({ preventScroll: true });
}

/** The button of a `FilterForm`: busy while its `list` loads. */
export function ApplyFilters({ list, className }: { list: string; className?: string }) {
  const { location, state } = useNavigation();
  return (
    // By its id the focus finds it again in the new form.
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

/** The region of a `FilterForm`. */
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
