import { type ReactNode, useEffect, useRef } from "react";

/** Specimens don't act: nothing inside can be reached, announced or focused. (React 18 has no type for `inert`.) */
export const INERT = { inert: "" };

/** A component in all its states, under its name. The section's id is the name in lower case, with dashes. */
export function Specimens({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <section id={name.toLowerCase().replaceAll(" ", "-")} className="min-w-0">
      <h2 className="mb-3 text-meta font-semibold">
        {name}
        {note && <span className="font-normal text-muted">: {note}</span>}
      </h2>
      <div className="specimens">{children}</div>
    </section>
  );
}

/** Specimens side by side, as far as there is room. */
export function Row({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <div className={`mb-3 flex flex-wrap items-center gap-3 last:mb-0 ${className}`}>{children}</div>;
}

/** Makes the elements that match `target` look hovered or focused (see `useShownStates`). */
export function Shown({
  state,
  target,
  children,
}: {
  state: "hover" | "focus-visible";
  target: string;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const element of ref.current?.querySelectorAll<HTMLElement>(target) ?? []) element.dataset.show = state;
  }, [state, target]);
  return (
    <div ref={ref} className="contents">
      {children}
    </div>
  );
}
