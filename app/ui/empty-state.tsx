import type { ReactNode } from "react";
import { OpenSpots } from "./open-spots";

/** An empty list: five open spots, a sentence, and at most one action (`children`). */
export function EmptyState({
  title,
  children,
  className = "",
}: {
  title: string;
  children?: ReactNode;
  className?: string;
}) {
  return (
    <div className={`flex flex-col items-center gap-3.5 py-10 text-center ${className}`}>
      <div aria-hidden="true" className="flex gap-[5px] border-t-2 border-text">
        <OpenSpots count={5} className="u-empty" />
      </div>
      <p className="text-post font-semibold text-balance">{title}</p>
      {children}
    </div>
  );
}
