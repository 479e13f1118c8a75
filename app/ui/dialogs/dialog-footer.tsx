import type { ReactNode } from "react";
import { ButtonLink } from "../button";

/** The footer of a dialog's form: the cancel link, the submit button, and a note beside them. */
export function DialogFooter({
  closeTo,
  cancelLabel = "Cancel",
  note,
  children,
}: {
  /** The address of the page below; undefined if the form is a page of its own. */
  closeTo: string | undefined;
  /** The label of the cancel link, for forms where "Cancel" could be mistaken for the form's own action. */
  cancelLabel?: string;
  note?: ReactNode;
  /** The submit button. */
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-3">
      {note && <p className="min-w-0 flex-1 basis-56 text-meta wrap-anywhere text-muted">{note}</p>}
      <div className="flex flex-wrap items-center justify-end gap-2 max-md:flex-auto">
        {closeTo && (
          <ButtonLink to={closeTo} variant="quiet" preventScrollReset viewTransition>
            {cancelLabel}
          </ButtonLink>
        )}
        {children}
      </div>
    </div>
  );
}
