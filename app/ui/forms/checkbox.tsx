import type { ComponentPropsWithoutRef } from "react";

/**
 * A box to tick, in a row under a hairline: the label beside it, a sentence below. The whole row can be pressed. Takes
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
