import { Link } from "./link";

/** One tab: a link to an address of its own. */
interface Tab {
  to: string;
  name: string;
  current: boolean;
  /** Loads a new document instead of navigating in the page. */
  reloadDocument?: boolean;
}

const RAILS = { main: "border-t-2 border-text", edge: "border-t-2 border-edge", none: "" } as const;

/**
 * Tabs: links under a line, the current one (`aria-current`) with a sky-blue tab hanging from it. If they don't fit
 * side by side, they scroll, and start with the current one in view if the browser can do that. `rail` is the line:
 * `main` above a page's main part, `edge` in a panel, `none` if there is one already.
 */
export function Tabs({
  label,
  tabs,
  rail = "main",
  className = "",
}: {
  /** The accessible name of the navigation: "Tournament". */
  label: string;
  tabs: readonly Tab[];
  rail?: keyof typeof RAILS;
  className?: string;
}) {
  return (
    <nav aria-label={label} className={`page-tabs ${RAILS[rail]} ${className}`}>
      <ul className="tab-row flex gap-4 overflow-x-auto">
        {tabs.map(({ to, name, current, reloadDocument }) => (
          // The padding at both ends is part of the tabs, so that scrolling the first tab into view doesn't move the
          // list.
          <li
            key={to}
            className={`flex-none first:pl-1.5 last:pr-1.5 ${current ? "[scroll-initial-target:nearest]" : ""}`}
          >
            <Link
              to={to}
              prefetch={reloadDocument ? "none" : "intent"}
              reloadDocument={reloadDocument}
              preventScrollReset
              className="hung-tab min-h-12 px-2 focus-visible:-outline-offset-3"
              aria-current={current ? "page" : undefined}
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
