import type { ComponentPropsWithoutRef } from "react";

/**
 * A checkbox in a row under a hairline, with its label beside it and a hint below. The whole row is clickable. Accepts
 * every native attribute of `<input type="checkbox">`.
 */
export function CheckboxField({
  label,
  id,
  hint,
  ...native
}: { label: string; id: string; hint?: string } & Omit<
  ComponentPropsWithoutRef<"input">,
  "id" | "type" | "className"
>) {
  return (
    <div className="checkbox-row">
      <input
        {...native}
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="checkbox"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-meta text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
