import { Form, useNavigation } from "@remix-run/react";
import { REGIONS } from "~/features/game/regions";
import { Button, ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/checkbox";
import { SelectField, TextField } from "~/ui/field";
import { foldAway } from "~/ui/fold-away";
import { FilterIcon } from "~/ui/icons";
import { countTournamentFilters, type TournamentFilters as Filters } from "./filters";

const LIST = "/dashboard/tournaments";

/** The filters of the list: a GET form, so that the address holds them. */
export function TournamentFilters({
  filters,
  rank,
  timeZone,
}: {
  filters: Filters;
  rank: string | null;
  /** The viewer's: the days that they choose are days there. */
  timeZone: string;
}) {
  const set = countTournamentFilters(filters);
  const { location, state } = useNavigation();
  const busy = state === "loading" && location.pathname === LIST;
  return (
    <details className="filters tournament-filters">
      <summary className="btn" data-variant="secondary" data-size="normal">
        <span>
          <FilterIcon className="size-[18px]" />
          Filters
          {set > 0 && <span className="text-meta text-muted tabular-nums">{set}</span>}
        </span>
      </summary>
      {/* A new set of filters is a new form: its fields show the address again. */}
      <Form
        key={JSON.stringify(filters)}
        method="get"
        action={LIST}
        aria-label="Filter tournaments"
        preventScrollReset
        onSubmit={foldAway}
        className="tournament-filters-form"
      >
        <input type="hidden" name="zone" value={timeZone} />
        <div className="tournament-filters-boxes">
          <CheckboxField
            id="filter-open"
            name="open"
            value="on"
            label="Open for registration"
            defaultChecked={filters.open}
          />
          <CheckboxField
            id="filter-fits"
            name="fits"
            value="on"
            label="Open to my rank"
            hint={rank ?? "Your profile says none yet"}
            defaultChecked={filters.fits}
          />
          <CheckboxField id="filter-free" name="free" value="on" label="Free entry" defaultChecked={filters.free} />
        </div>
        <SelectField id="filter-region" name="region" label="Region" defaultValue={filters.region ?? ""}>
          <option value="">All regions</option>
          {REGIONS.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
        <TextField id="filter-from" name="from" label="From" type="date" defaultValue={filters.from} />
        <TextField id="filter-to" name="to" label="To" type="date" defaultValue={filters.to} />
        <div className="flex gap-1 self-end">
          <Button id="apply-filters" busy={busy} busyLabel="Applying">
            Apply
          </Button>
          {set > 0 && (
            <ButtonLink to={LIST} variant="quiet" preventScrollReset>
              Reset
            </ButtonLink>
          )}
        </div>
      </Form>
    </details>
  );
}
