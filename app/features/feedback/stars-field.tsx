import { FieldError } from "~/ui/forms/field";
import { STAR } from "./shared/stars";

/**
 * One to five stars: native radios (accessible names `1 star` to `5 stars`) drawn as stars and filled up to the chosen
 * one. The text that explains each choice is shown by CSS alone, and describes its radio.
 */
export function StarsField({
  label,
  name,
  id,
  words,
  defaultValue,
  errors,
  autoFocus,
}: {
  label: string;
  name: string;
  id: string;
  /** The meanings of 1, 2, 3, 4 and 5 stars. */
  words: readonly string[];
  defaultValue?: string | undefined;
  errors?: readonly string[];
  autoFocus?: boolean;
}) {
  const invalid = Boolean(errors?.length);
  const choices = words.map((sentence, index) => ({ value: String(index + 1), sentence }));
  return (
    <fieldset id={id} aria-describedby={invalid ? `${id}-error` : undefined} className="min-w-0">
      <legend className="mb-1 text-meta font-semibold">{label}</legend>
      <div className="stars-field">
        <div className="stars-field-stars">
          {choices.map(({ value }, index) => (
            <label key={value}>
              <input
                type="radio"
                id={`${id}-${value}`}
                name={name}
                value={value}
                aria-label={value === "1" ? "1 star" : `${value} stars`}
                aria-describedby={`${id}-words-${value}`}
                aria-invalid={invalid || undefined}
                defaultChecked={defaultValue === value}
                required
                autoFocus={Boolean(autoFocus) && (defaultValue ? defaultValue === value : index === 0)}
              />
              <svg viewBox="0 0 24 24" className="size-7" aria-hidden="true" focusable="false">
                <path d={STAR} />
              </svg>
            </label>
          ))}
        </div>
        <div className="min-w-40 flex-1 text-meta">
          {!invalid && (
            <p className="stars-field-words text-muted" data-for="none">
              Choose one to five stars.
            </p>
          )}
          {choices.map(({ value, sentence }) => (
            <p key={value} id={`${id}-words-${value}`} className="stars-field-words font-semibold" data-for={value}>
              {sentence}
            </p>
          ))}
        </div>
      </div>
      <FieldError id={id} {...(errors && { errors })} />
    </fieldset>
  );
}
