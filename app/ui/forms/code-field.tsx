import { type FieldBase, type Native, TextField } from "./field";

/** Six digits with any spaces between them: people write them down as "123 456". */
const SIX_DIGITS = "\\s*(\\d\\s*){6}";

/**
 * A field for a six-digit code from an email or an authenticator app. Phones suggest the code and show a numeric
 * keypad; spaces are ignored. The entered code is never filled in again. Parse it with `oneTimeCode`.
 */
export function CodeField({ className = "", defaultValue: _never, ...field }: FieldBase & Native<"input">) {
  return (
    <TextField
      {...field}
      className={`code-field ${className}`}
      autoComplete="one-time-code"
      inputMode="numeric"
      pattern={SIX_DIGITS}
      title="Six digits"
      spellCheck={false}
      autoCapitalize="none"
      required
    />
  );
}
