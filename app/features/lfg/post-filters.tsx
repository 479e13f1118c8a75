import { ButtonLink } from "~/ui/button";
import { ApplyFilters, FilterFields, FilterForm } from "~/ui/forms/filter-form";
import { type PostFilters as Filters, POST_LIST } from "./filters";

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
      <FilterFields params={POST_LIST} values={filters} />
      <ApplyFilters list="/dashboard" className="filters-apply self-end" />
      {filterCount > 0 && (
        <ButtonLink to="/dashboard" variant="quiet" preventScrollReset className="filters-reset self-end">
          Reset
        </ButtonLink>
      )}
    </FilterForm>
  );
}
