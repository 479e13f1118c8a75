import { useState } from "react";
import { useScripted } from "../hooks/use-scripted";
import { describe, type FieldBase, Frame, type Native } from "./field";

/** A password field with a button that reveals the password; the button is rendered only after hydration. */
export function PasswordField({
  label,
  name,
  id,
  errors,
  hint,
  optional,
  prefix: _prefix,
  aside,
  className,
  type: _type,
  ...native
}: FieldBase & Native<"input">) {
  const scripted = useScripted();
  const [shown, setShown] = useState(false);
  return (
    <Frame {...{ label, name, id, errors, hint, optional, aside, className }}>
      <div className="relative">
        <input
          {...native}
          {...describe({ id, errors, hint })}
          id={id}
          name={name}
          type={shown ? "text" : "password"}
          className="control has-suffix"
          spellCheck={false}
          autoCapitalize="none"
        />
        {scripted && (
          <button
            type="button"
            aria-controls={id}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 right-0 min-w-11 cursor-pointer rounded-control px-[13px] text-meta font-semibold text-muted hover:text-text"
          >
            Show
          </button>
        )}
      </div>
    </Frame>
  );
}
