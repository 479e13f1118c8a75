import { Button, ButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";

/**
 * New recovery codes, in the only response that ever contains them. They can be copied, printed and downloaded. The
 * download is a form that posts them back: the response is the file, so they appear in no URL and are stored nowhere.
 */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <>
      <h3 className="mt-5 font-semibold">Keep your recovery codes</h3>
      <p className="mt-1 text-muted">
        Lost your authenticator? One of these gets you in. Each works once. We only show them now, so keep them
        somewhere you can reach without your phone. Any older codes no longer work.
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-4 grid gap-x-7 gap-y-1.5 rounded-control border border-edge bg-well px-4 py-3.5 text-[1.0625rem] leading-7 tabular-nums min-[24rem]:grid-cols-2 print:bg-transparent print:text-black"
      >
        {codes.map((code) => (
          <li key={code} className="select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2.5 print:hidden">
        {/* Not a fetch: the browser saves the response and stays on the page. */}
        <form method="post" action="/dashboard/settings/two-factor/recovery-codes.txt">
          <input type="hidden" name="codes" value={codes.join(" ")} />
          <Button>Download</Button>
        </form>
        <CopyButton text={codes.join("\n")} />
        <PrintButton />
        <ButtonLink to="/dashboard/settings/two-factor" variant="primary" onClick={onDone}>
          Done
        </ButtonLink>
      </div>
    </>
  );
}

/** Rendered only after hydration, because it needs JavaScript. */
function PrintButton() {
  if (!useIsHydrated()) return null;
  return (
    <Button type="button" onClick={() => window.print()}>
      Print
    </Button>
  );
}
