import { TRAP_FIELD } from "~/platform/forms/forms";

/**
 * A trap for bots that fill in every field, for forms that anyone can submit. It is invisible, screen readers and the
 * Tab key skip it, and password managers are asked to skip it. Without styles, its label says to leave it empty. A form
 * that arrives with this field filled in is refused before its action runs.
 */
export function Honeypot() {
  return (
    // Moved off screen instead of `display: none`, which bots recognise.
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
