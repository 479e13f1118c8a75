import { useNavigate } from "@remix-run/react";
import { type ReactNode, type SyntheticEvent, useContext, useId, useRef } from "react";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";
import { CloseIcon } from "../icons";
import { Link } from "../link";
import { SubmittedContext } from "../page/request-contexts";

/**
 * Returns the element to focus: the first invalid field, or else the field with `autofocus`, the first field, or the
 * heading.
 */
function findInitialFocus(dialog: HTMLDialogElement): HTMLElement | null {
  const selectors = [
    '[aria-invalid="true"]',
    "[autofocus]:not(h2)",
    "input:not([type=hidden]), textarea, select",
    "h2",
  ];
  for (const selector of selectors) {
    const found = dialog.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}

/**
 * A dialog with an address of its own (listed in `dialogs.ts`): render it from the route of that address. The server
 * renders it open, hanging from the window's top (on phones as a page of its own); script makes it modal without
 * changing its appearance. `Close` is a link to `closeTo`, and Esc leads there too.
 */
export function RouteDialog({
  title,
  player,
  closeTo,
  isQuestion,
  children,
}: {
  /** The heading, which is also the dialog's name. */
  title: string;
  /** A player's name at the end of the heading, in the text face: players' text is never set in the display face. */
  player?: string;
  /** The address of the page below. */
  closeTo: string;
  /**
   * Whether the dialog only asks for confirmation, in a few lines. Such a dialog is only as tall as its text, even on
   * phones.
   */
  isQuestion?: boolean;
  children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const headingId = useId();
  const navigate = useNavigate();
  const isFormResponse = useContext(SubmittedContext) !== null;

  useBrowserLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.matches(":modal")) return;
    const focused = document.activeElement;
    // showModal() throws on an open dialog, and close() would fire `close`, which here navigates away.
    dialog.removeAttribute("open");
    dialog.showModal();
    const hadFocusInside = dialog.contains(focused) && focused !== dialog && focused?.id !== headingId;
    (hadFocusInside ? (focused as HTMLElement) : findInitialFocus(dialog))?.focus({ preventScroll: true });
    // After leaving by a link, closing returns the focus to the element that opened the dialog.
    return () => dialog.close();
  }, [headingId]);

  function handleClose(event: SyntheticEvent<HTMLDialogElement>) {
    // `close` fires late: by then the dialog may have been removed, or (in strict mode) be open again.
    if (event.target !== event.currentTarget || event.currentTarget.open) return;
    navigate(closeTo, { preventScrollReset: true });
  }

  // Esc leaves by the link, so that the dialog is animated. If the browser closes it anyway, `close` follows.
  function handleCancel(event: SyntheticEvent<HTMLDialogElement>) {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    navigate(closeTo, { preventScrollReset: true, viewTransition: true });
  }

  return (
    <dialog
      ref={ref}
      open
      aria-labelledby={headingId}
      className={isQuestion ? "route-dialog question-dialog" : "route-dialog"}
      onClose={handleClose}
      onCancel={handleCancel}
    >
      <div className="mb-[19px] flex items-center justify-between gap-4">
        <h2
          id={headingId}
          // Without script, this moves the focus into the dialog; in the response to a form, the invalid field gets the
          // focus instead.
          autoFocus={!isFormResponse}
          tabIndex={-1}
          className="min-w-0 font-display text-title-phone wrap-anywhere md:text-[1.625rem] md:leading-8"
        >
          {title}
          {player && (
            <>
              {" "}
              <bdi className="font-sans font-[650]">{player}</bdi>
            </>
          )}
        </h2>
        <Link
          to={closeTo}
          preventScrollReset
          viewTransition
          aria-label="Close"
          title="Close"
          className="-my-2 -mr-3 grid size-11 flex-none place-items-center rounded-control text-muted hover:bg-raised hover:text-text"
        >
          <CloseIcon className="size-[22px]" />
        </Link>
      </div>
      {children}
    </dialog>
  );
}
