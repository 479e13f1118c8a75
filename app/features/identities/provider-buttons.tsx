import { SUBMIT_HEIGHT } from "~/features/auth/shared/submit-height";
import { Button } from "~/ui/button";

/**
 * The buttons of the providers below the account forms; renders nothing if none is configured. Plain forms, because
 * they redirect to another site.
 */
export function ProviderButtons({
  providers,
  redirectTo,
}: {
  providers: readonly { id: string; name: string }[];
  /** The path to redirect to afterwards. */
  redirectTo: string | null;
}) {
  if (providers.length === 0) return null;
  return (
    <div className="mt-[18px] grid gap-3">
      <p className="flex items-center gap-3 text-meta text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <form key={id} method="post" action={`/auth/oauth/${id}`} className="grid">
          <input type="hidden" name="intent" value="sign-in" />
          {redirectTo && <input type="hidden" name="redirectTo" value={redirectTo} />}
          <Button className={SUBMIT_HEIGHT}>Continue with {name}</Button>
        </form>
      ))}
    </div>
  );
}
