import { CodeField } from "~/ui/forms/code-field";
import type { FieldBase } from "~/ui/forms/field";
import { TextField } from "~/ui/forms/field";
import { Link } from "~/ui/link";

/** The query parameter that switches the field to recovery codes: `?with=recovery-code`. */
const RECOVERY = { name: "with", value: "recovery-code" } as const;

/** Whether the address asks for a recovery code. */
export const wantsRecoveryCode = (params: URLSearchParams) => params.get(RECOVERY.name) === RECOVERY.value;

/**
 * The field of the second factor: the authenticator's six digits or a recovery code, with a link to switch between
 * them. Both fields are called `code`, and the server treats them alike.
 * @param search the address's query string, which the link keeps
 */
export function SecondFactorField({
  recovery,
  search,
  autoFocus,
  ...field
}: FieldBase & { recovery: boolean; search: string; autoFocus?: boolean }) {
  const params = new URLSearchParams(search);
  if (recovery) params.delete(RECOVERY.name);
  else params.set(RECOVERY.name, RECOVERY.value);
  return (
    <div>
      {recovery ? (
        <TextField
          key="recovery"
          {...field}
          autoFocus={autoFocus}
          hint="Ten letters and digits. Each code works once."
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
      ) : (
        <CodeField key="code" {...field} autoFocus={autoFocus} hint="Six digits, from your authenticator app." />
      )}
      <Link
        to={`?${params}`}
        replace
        preventScrollReset
        className="link mt-1 inline-flex items-center text-meta touch:min-h-11"
      >
        {recovery ? "Use your authenticator app" : "Use a recovery code"}
      </Link>
    </div>
  );
}
