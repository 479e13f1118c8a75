import { ButtonLink } from "~/ui/button";
import { ApplyFilters, FilterFields, FilterForm, Tick } from "~/ui/forms/filter-form";
import { type PostFilters as Filters, POST_LIST } from "./filters";

const { q, online, ...others } = POST_LIST;

/** The filters of the list of posts. @param filterCount the number of active filters */
export function PostFilters({ filters, filterCount }: { filters: Filters; filterCount: number }) {
  return (
    <FilterForm
      list="/dashboard"
      label="Filter posts"
      count={filterCount}
      values={filters}
      formClassName="filters-form"
      preventScrollReset
    >
      <div className="filters-first">
        <FilterFields params={{ q, online }} values={filters} Flag={Tick} />
        {/* The link takes up its space even while no filter is set, so that nothing moves once one is. */}
        <ButtonLink
          to="/dashboard"
          variant="quiet"
          preventScrollReset
          className={filterCount > 0 ? "filters-reset" : "filters-reset invisible"}
        >
          Reset
        </ButtonLink>
      </div>
      <FilterFields params={others} values={filters} />
      <ApplyFilters list="/dashboard" className="self-end" />
    </FilterForm>
  );
}
