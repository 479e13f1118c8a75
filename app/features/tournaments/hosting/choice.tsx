import { SelectField } from "~/ui/forms/field";

/** One of a list, where one holds already. */
export const Choice = ({ options, ...props }: Parameters<typeof SelectField>[0] & { options: [string, string][] }) => (
  <SelectField optional {...props}>
    {options.map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </SelectField>
);
