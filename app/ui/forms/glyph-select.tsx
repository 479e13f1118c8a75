import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { SelectField } from "./field";

/**
 * A select with a glyph of the choice to the left of it. The server draws the initial glyph, so that nothing moves on
 * hydration. Callers hide the glyph without script (`noscript:hidden`), because it couldn't follow the choice.
 */
export function GlyphSelect<Option extends string>({
  options,
  glyph,
  ...field
}: ComponentProps<typeof SelectField> & {
  options: readonly Option[];
  glyph: (option: Option) => ReactNode;
}) {
  const [chosen, setChosen] = useState(String(field.defaultValue ?? ""));
  // The browser may have restored a value, or the player may have chosen one before hydration.
  useEffect(() => {
    const select = document.getElementById(field.id);
    if (select instanceof HTMLSelectElement) setChosen(select.value);
  }, [field.id]);
  const option = options.find((one) => one === chosen);
  return (
    <SelectField
      optional
      {...field}
      prefix={option && glyph(option)}
      onChange={(event) => setChosen(event.currentTarget.value)}
    >
      <option value="" />
      {options.map((one) => (
        <option key={one}>{one}</option>
      ))}
    </SelectField>
  );
}
