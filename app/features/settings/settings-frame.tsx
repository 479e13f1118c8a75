import type { ReactNode } from "react";
import { ChevronIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { SETTINGS, settingsAddress } from "./subjects";

/** Extends a link's clickable area over its whole row. */
const WHOLE_ROW =
  "after:absolute after:inset-0 after:-z-1 focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge";

/**
 * The list of all settings beside the open one (`children`). Where there is no room for both, the list is a page of its
 * own, and each subject links back to it.
 * @param current the slug of the open subject; null on the page with the list
 */
export function SettingsFrame({ current, children }: { current: string | null; children: ReactNode }) {
  return (
    <div className="gap-x-14 lg:grid lg:grid-cols-[232px_minmax(0,620px)]">
      <nav aria-label="Settings" className={`max-w-[620px] ${current ? "max-lg:hidden" : ""}`}>
        <ul className="border-t-2 border-text">
          {SETTINGS.map(({ slug, name, sentence }) => {
            const isCurrent = slug === current;
            return (
              <li
                key={slug}
                className={`relative isolate py-3 max-lg:border-b max-lg:border-line hover:bg-raised lg:px-4 lg:py-2.5 ${isCurrent ? "bg-raised before:absolute before:inset-y-0 before:left-0 before:w-1 before:bg-spot-edge" : ""}`}
              >
                <Link
                  to={settingsAddress(slug)}
                  prefetch="intent"
                  aria-current={isCurrent ? "page" : undefined}
                  aria-describedby={`about-${slug}`}
                  className={`font-semibold ${isCurrent ? "" : "lg:text-muted"} ${WHOLE_ROW}`}
                >
                  {name}
                </Link>
                <p id={`about-${slug}`} className="text-[0.875rem] text-muted lg:hidden">
                  {sentence}
                </p>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="max-w-[620px] min-w-0">
        {current && (
          <Link
            to="/dashboard/settings"
            prefetch="intent"
            className="-mt-2 inline-flex min-h-11 items-center gap-1.5 rounded-control font-semibold text-muted hover:text-text lg:hidden"
          >
            <ChevronIcon className="size-[18px] rotate-90" />
            All settings
          </Link>
        )}
        {children}
      </div>
    </div>
  );
}
