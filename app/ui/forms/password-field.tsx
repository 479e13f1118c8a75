import { useState } from "react";
import { useIsHydrated } from "../hooks/use-is-hydrated";
import { type FieldBase, Frame, type Native, wire } from "./field";

/** A password field with a button that reveals the password; the button is rendered only after hydration. */
export function PasswordField(props: Omit<FieldBase, "prefix"> & Omit<Native<"input">, "type">) {
  const { frame, control } = wire(props);
  const isHydrated = useIsHydrated();
  const [shown, setShown] = useState(false);
  return (
    <Frame {...frame}>
      <div className="relative">
        <input
          {...control}
          type={shown ? "text" : "password"}
          className="control has-suffix"
          spellCheck={false}
          autoCapitalize="none"
        />
        {isHydrated && (
          <button
            type="button"
            aria-controls={props.id}
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
