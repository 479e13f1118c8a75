import { zoneWords } from "~/platform/dates/time-zone";
import { ButtonLink } from "~/ui/button";
import { CheckboxField } from "~/ui/forms/checkbox";
import { TextField } from "~/ui/forms/field";
import { ApplyFilters, FilterForm, RegionFilter } from "~/ui/forms/filter-form";
import { countTournamentFilters, type TournamentFilters as Filters } from "./filters";

const LIST = "/dashboard/tournaments";

/** The filters of the tournament list. */
export function TournamentFilters({
  filters,
  rank,
  timeZone,
}: {
  filters: Filters;
  rank: string | null;
  /** The viewer's time zone; the days they choose are days in it. */
  timeZone: string;
}) {
  const set = countTournamentFilters(filters);
  // A link from somebody else may name days in another zone.
  const hint = filters.zone && filters.zone !== timeZone ? zoneWords(filters.zone) : undefined;
  return (
    <FilterForm
      list={LIST}
      label="Filter tournaments"
      count={set}
      values={filters}
      className="tournament-filters"
      formClassName="tournament-filters-form"
      preventScrollReset
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
      <RegionFilter region={filters.region} />
      <TextField id="filter-from" name="from" label="From" type="date" defaultValue={filters.from} hint={hint} />
      <TextField id="filter-to" name="to" label="To" type="date" defaultValue={filters.to} hint={hint} />
      <div className="flex gap-1 self-end">
        <ApplyFilters list={LIST} />
        {set > 0 && (
          <ButtonLink to={LIST} variant="quiet" preventScrollReset>
            Reset
          </ButtonLink>
        )}
      </div>
    </FilterForm>
  );
}
