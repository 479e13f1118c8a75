import type { ComponentPropsWithoutRef } from "react";

interface ChoiceProps extends Omit<ComponentPropsWithoutRef<"input">, "id" | "type" | "className"> {
  label: string;
  id: string;
  /** A sentence below the label, which describes the choice to screen readers, too. */
  hint?: string;
}

/**
 * A checkbox in a row under a hairline, with its label beside it and a hint below. The whole row is clickable. Accepts
 * every native attribute of `<input type="checkbox">`.
 */
export const CheckboxField = (props: ChoiceProps) => <ChoiceRow type="checkbox" shape="checkbox" {...props} />;

/** A radio button in the same kind of row. Its group is a `fieldset` with a legend. */
export const RadioField = (props: ChoiceProps) => <ChoiceRow type="radio" shape="checkbox rounded-full!" {...props} />;

function ChoiceRow({
  label,
  id,
  hint,
  type,
  shape,
  ...native
}: ChoiceProps & { type: "checkbox" | "radio"; shape: string }) {
  return (
    <div className="checkbox-row">
      <input {...native} type={type} id={id} aria-describedby={hint ? `${id}-hint` : undefined} className={shape} />
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
