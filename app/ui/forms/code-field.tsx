import { type FieldBase, type Native, TextField } from "./field";

/** Six digits, with as many spaces between them as one likes: "123 456" is how they are written down. */
const SIX_DIGITS = "\\s*(\\d\\s*){6}";

/**
 * The field for a code of six digits, from an e-mail or an authenticator app. Telephones offer the code by themselves
 * and show digits to type; spaces do no harm. What was entered is never put back. Parse it with `oneTimeCode`.
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
