import { SelectField } from "~/ui/forms/field";

/** A select in which one option is always chosen. */
export const Choice = ({ options, ...props }: Parameters<typeof SelectField>[0] & { options: [string, string][] }) => (
  <SelectField optional {...props}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
);
