import { hourRange } from "~/platform/dates/dates";
import { FieldError } from "~/ui/forms/field";
import { DAY_PARTS, DAYS, slotOf } from "../availability";

/** `Weekly Availability`: a checkbox for each part of each day. The whole cell is clickable. */
export function AvailabilityTable({
  id,
  name,
  chosen,
  errors,
  hour12,
}: {
  id: string;
  name: string;
  chosen: readonly string[];
  errors: readonly string[];
  /** Whether the reader uses the 12-hour clock. */
  hour12: boolean;
}) {
  return (
    <fieldset id={id} className="min-w-0" aria-describedby={errors.length > 0 ? `${id}-error` : `${id}-hint`}>
      <legend className="text-meta font-semibold">Weekly Availability</legend>
      <p id={`${id}-hint`} className="mt-0.5 text-meta text-muted">
        When you usually play, in your time zone.
      </p>
      <table className="availability">
        <thead>
          <tr>
            <td />
            {DAY_PARTS.map(({ word, name: part, from, to }) => (
              <th key={word} scope="col">
                {part}
                <span>{hourRange(from, to, hour12)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day) => (
            <tr key={day}>
              <th scope="row">
                <abbr title={day}>{day.slice(0, 3)}</abbr>
              </th>
              {DAY_PARTS.map(({ word }) => {
                const slot = slotOf(day, word);
                return (
                  <td key={word}>
                    <label>
                      <input
                        type="checkbox"
                        name={name}
                        value={slot}
                        aria-label={`${day} ${word}`}
                        defaultChecked={chosen.includes(slot)}
                        className="checkbox"
                      />
                    </label>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <FieldError id={id} errors={errors} />
    </fieldset>
  );
}
