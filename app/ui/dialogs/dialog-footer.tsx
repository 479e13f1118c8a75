import type { ReactNode } from "react";
import { ButtonLink } from "../button";

/** How a dialog's form ends: the way out, the button that sends it, and beside them what is worth knowing before. */
export function DialogFooter({
  closeTo,
  leave = "Cancel",
  note,
  children,
}: {
  /** The address underneath; none where the form is a page of its own. */
  closeTo: string | undefined;
  /** The way out in words, where "Cancel" might be taken for what the form does. */
  leave?: string;
  note?: ReactNode;
  /** The button. */
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
      {note && <p className="min-w-0 flex-1 basis-56 text-meta text-pretty wrap-anywhere text-muted">{note}</p>}
      <div className="flex flex-wrap items-center justify-end gap-2 max-md:flex-auto">
        {closeTo && (
          <ButtonLink to={closeTo} variant="quiet" preventScrollReset viewTransition>
            {leave}
          </ButtonLink>
        )}
        {children}
      </div>
    </div>
  );
}
