import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import { Badge } from "~/ui/badge";
import { Button, ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { SelectField } from "~/ui/forms/field";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import { type QueueFilters as Filters, QUEUE } from "./filters";
import type { ShownQueue } from "./present.server";

const HERE = "/moderation";

/**
 * The filters of the queue, as a GET form. It doesn't use `FilterForm`: if this page used it too, esbuild would put it
 * into a separate file, which players would have to load as well.
 */
export function QueueFilters({ filters }: { filters: Filters }) {
  const { state, kind, order, urgent, flagged, mine, admin } = QUEUE;
  return (
    <Form key={JSON.stringify(filters)} method="get" action={HERE} aria-label="Filter cases" className="grid gap-4">
      <div className="grid gap-4 md:max-w-[760px] md:grid-cols-3">
        <SelectField id="filter-state" name="state" label={state.label} defaultValue={filters.state}>
          <Options options={state.options} />
        </SelectField>
        <SelectField id="filter-kind" name="kind" label={kind.label} defaultValue={filters.kind ?? ""}>
          <option value="">{kind.any}</option>
          <Options options={kind.options} />
        </SelectField>
        <SelectField id="filter-order" name="order" label={order.label} defaultValue={filters.order}>
          <Options options={order.options} />
        </SelectField>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {Object.entries({ urgent, flagged, mine, admin }).map(([name, { label }]) => (
          <label key={name} className="flex min-h-8 items-center gap-2.5 touch:min-h-11">
            <input
              type="checkbox"
              name={name}
              defaultChecked={filters[name as "urgent" | "flagged" | "mine" | "admin"]}
              className="checkbox"
            />
            {label}
          </label>
        ))}
        <div className="flex items-center gap-x-2 max-md:basis-full">
          <Button>Apply</Button>
          <ButtonLink to={HERE} variant="quiet" preventScrollReset>
            Reset
          </ButtonLink>
        </div>
      </div>
    </Form>
  );
}

function Options({ options }: { options: Readonly<Record<string, string>> }) {
  return Object.entries(options).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}

/** The list of cases: links to their pages. */
export function QueueList({ cases, isWaiting }: { cases: SerializeFrom<ShownQueue>; isWaiting: boolean }) {
  if (cases.length === 0) return <EmptyState title={isWaiting ? "No open cases." : "No cases match these filters."} />;
  return (
    <ul aria-label="Cases" className="mt-5 max-w-[760px] border-t-2 border-text">
      {cases.map(({ id, title, excerpt, reportCount, isUrgent, isFlagged, isForAdmin, assignee, opened, latest }) => (
        <li key={id} className="relative border-b border-line py-3.5 hover:bg-raised">
          <Link
            to={`/moderation/cases/${id}`}
            prefetch="intent"
            className="font-semibold wrap-anywhere after:absolute after:inset-0"
          >
            {title}
          </Link>
          {excerpt && (
            <p dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
              {excerpt}
            </p>
          )}
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-meta text-muted">
            <span>
              {reportCount} {reportCount === 1 ? "report" : "reports"}
            </span>
            <span>
              opened <RelativeTime moment={opened} />
            </span>
            {latest && <span>Latest: {latest}</span>}
            {assignee && <span>{assignee} is on it</span>}
            {isUrgent && <Badge variant="warn">Urgent</Badge>}
            {isFlagged && <Badge>Flagged by machine</Badge>}
            {isForAdmin && <Badge variant="warn">For admins</Badge>}
          </p>
        </li>
      ))}
    </ul>
  );
}
