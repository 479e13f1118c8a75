import { ButtonLink } from "~/ui/button";
import { ApplyFilters, FilterFields, FilterForm } from "~/ui/forms/filter-form";
import { type PostFilters as Filters, POST_LIST } from "./filters";

/** The filters of the list of posts. @param set the number of filters that are set */
export function PostFilters({ filters, set }: { filters: Filters; set: number }) {
  return (
    <FilterForm
      list="/dashboard"
      label="Filter posts"
      count={set}
      values={filters}
      formClassName="filters-form"
      preventScrollReset
    >
      <FilterFields params={POST_LIST} values={filters} />
      <ApplyFilters list="/dashboard" className="filters-apply self-end" />
      {set > 0 && (
        <ButtonLink to="/dashboard" variant="quiet" preventScrollReset className="filters-reset self-end">
          Reset
        </ButtonLink>
      )}
    </FilterForm>
  );
}
