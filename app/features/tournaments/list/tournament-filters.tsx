import { zoneWords } from "~/platform/dates/time-zone";
import { ButtonLink } from "~/ui/button";
import { ApplyFilters, FilterFields, FilterForm, Tick } from "~/ui/forms/filter-form";
import { type TournamentFilters as Filters, LIST, TOURNAMENT_LIST } from "./filters";

const { open, fits, free, ...others } = TOURNAMENT_LIST;

/** The filters of the tournament list. */
export function TournamentFilters({
  filters,
  filterCount,
  rank,
  timeZone,
}: {
  filters: Filters;
  /** The number of active filters. */
  filterCount: number;
  rank: string | null;
  /** The viewer's time zone; the days they choose are days in it. */
  timeZone: string;
}) {
  // A link from someone else may name days in another zone.
  const hint = filters.zone && filters.zone !== timeZone ? zoneWords(filters.zone) : undefined;
  return (
    <FilterForm
      list={LIST}
      label="Filter tournaments"
      count={filterCount}
      values={filters}
      className="tournament-filters"
      formClassName="tournament-filters-form"
      preventScrollReset
    >
      <input type="hidden" name="zone" value={timeZone} data-with="from to" />
      <div className="tournament-filters-boxes">
        <FilterFields
          params={{ open, fits, free }}
          values={filters}
          hints={{ fits: rank ?? "Set your rank on the Profile tab first" }}
          Flag={Tick}
        />
      </div>
      <FilterFields params={others} values={filters} hints={{ from: hint, to: hint }} />
      <div className="flex gap-1 self-end">
        <ApplyFilters list={LIST} />
        {filterCount > 0 && (
          <ButtonLink to={LIST} variant="quiet" preventScrollReset>
            Reset
          </ButtonLink>
        )}
      </div>
    </FilterForm>
  );
}
