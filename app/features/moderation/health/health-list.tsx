import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import type { presentHealth } from "./present.server";

/** Lists the state of the site, and marks the items that need attention. */
export function HealthList({ states }: { states: ReturnType<typeof presentHealth> }) {
  const bad = states.filter(({ isBad }) => isBad);
  return (
    <div className="max-w-[760px]">
      {bad.length === 0 ? (
        <Notice variant="good" title="All is well." />
      ) : (
        <Notice variant="danger" title={`Needs you: ${bad.map(({ name }) => name).join(", ")}`}>
          The runbook in docs/operations.md says what to do.
        </Notice>
      )}
      <dl className="mt-6 border-t-2 border-text">
        {states.map(({ name, text, moment, isBad }) => (
          <div key={name} className="border-b border-line py-3.5">
            <dt className="text-meta font-semibold">{name}</dt>
            <dd className={isBad ? "font-semibold text-danger" : ""}>
              {text} {moment && <RelativeTime moment={moment} />}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
