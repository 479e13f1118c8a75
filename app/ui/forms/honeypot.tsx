import { TRAP_FIELD } from "~/platform/forms/forms";

/**
 * A trap for programs that fill in every field, for forms that anyone can send. People don't see it, screen readers and
 * the Tab key pass it by, and password managers are asked to; where there is no style its label says what to do. A form
 * that comes with something in it is refused before its action runs.
 */
export function Honeypot() {
  return (
    // Out of sight rather than `display: none`, which programs know.
    <div aria-hidden="true" className="absolute -left-[9999px]">
      <label>
        Leave this empty
        <input
          name={TRAP_FIELD}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-bwignore
          data-lpignore="true"
          data-form-type="other"
        />
      </label>
    </div>
  );
}
