import type { ReactNode } from "react";

/** The focus ring, drawn on something that has no focus. */
export const FOCUS_LOOK = "outline-3 outline-offset-2 outline-spot-edge";

/** Specimens of one kind under their heading. */
export function Specimens({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-3 text-meta font-semibold text-muted">{title}</h2>
      {children}
    </section>
  );
}

/** Specimens side by side, as far as there is room. */
export function Row({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`mb-3 flex flex-wrap items-center gap-3 last:mb-0 ${className}`}>{children}</div>;
}
