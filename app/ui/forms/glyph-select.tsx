import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { SelectField } from "./field";

/**
 * A select whose choice is drawn left of its name. The server draws what it knows, so that nothing moves; without script
 * there is no glyph, as none could follow the choice.
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
  // What the browser brought back, or was chosen before there was script.
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
