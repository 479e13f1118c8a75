import { useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { ToasterProps as SonnerProps } from "sonner";
import type { Toast } from "~/platform/pages/toast";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";
import { CheckIcon, CloseIcon, WarningIcon } from "../icons";

/** How long a success toast stays, in milliseconds. Errors stay until closed. */
const SUCCESS_DURATION = 5000;

/** One toast: a rail in the colour of its kind, icon, title and text; `onClose` adds a close button. */
export function ToastCard({ toast, onClose }: { toast: Toast; onClose?: () => void }) {
  const success = toast.kind === "success";
  return (
    <div role={success ? "status" : "alert"} data-kind={toast.kind} className="toast-card">
      {success ? (
        <CheckIcon className="mt-0.5 size-[18px] text-good" />
      ) : (
        <WarningIcon className="mt-[3px] size-4 text-danger" />
      )}
      <div className="min-w-0">
        <p className="text-body font-semibold">{toast.title}</p>
        {toast.description && <p className="text-meta text-muted">{toast.description}</p>}
      </div>
      {onClose && (
        <button
          type="button"
          aria-label="Close"
          title="Close"
          onClick={onClose}
          className="-mt-2 -mr-2 grid size-9 cursor-pointer place-items-center rounded-control text-muted hover:text-text touch:size-11"
        >
          <CloseIcon className="pointer-events-none size-[18px]" />
        </button>
      )}
    </div>
  );
}

/**
 * Returns where the browser shows its toasts: at the end of the page, or of the open dialog. A modal dialog makes
 * everything outside it inert, so the container moves into it. React doesn't notice the move, so the toasts stay
 * mounted.
 */
function useToastPlace(): HTMLElement | undefined {
  const [place, setPlace] = useState<HTMLElement>();
  const { key } = useLocation();
  useEffect(() => setPlace(document.createElement("div")), []);
  // By now the dialog's own layout effect has opened it; a closed dialog has removed the container along with itself.
  useBrowserLayoutEffect(() => {
    if (place) (document.querySelector("dialog:modal") ?? document.body).appendChild(place);
  }, [place, key]);
  useEffect(() => {
    if (place) return () => void place.remove();
  }, [place]);
  return place;
}

type Sonner = { Toaster: ComponentType<SonnerProps>; toast: typeof import("./sonner.client")["toast"] };

/**
 * The feedback on a player's last action. The server renders the cards into the page. Once the browser has loaded
 * sonner (only if there is a card), the cards move there and can disappear: successes after five seconds, errors when
 * closed. No card shows twice in between: React removes the server's card first (`taken`), and the effect of that same
 * render passes it to sonner (`given`), each id once in the page's lifetime.
 */
export function Toaster({ toasts }: { toasts: readonly Toast[] }) {
  const [sonner, setSonner] = useState<Sonner>();
  const [taken, setTaken] = useState<readonly string[]>([]);
  const given = useRef(new Set<string>());
  const errors = useRef<string[]>([]);
  const phone = useRef(false);
  const place = useToastPlace();
  // A new toast replaces earlier errors, as it does below for sonner.
  const waiting = toasts.filter(
    ({ id, kind }, at) => !taken.includes(id) && (kind === "success" || at === toasts.length - 1),
  );
  const needed = waiting.length > 0;

  useEffect(() => {
    if (!needed || sonner) return;
    let isCurrent = true;
    const load = () =>
      import("./sonner.client").then(
        (module) => {
          phone.current = matchMedia("(max-width: 699.9px)").matches;
          if (isCurrent) setSonner({ Toaster: module.Toaster, toast: module.toast });
        },
        () => {}, // A bad line, or a new deployment: the server's cards simply stay.
      );
    // Browsers request a module once. Requested offline, it would be missing for the rest of the page's lifetime.
    if (navigator.onLine) load();
    else window.addEventListener("online", load, { once: true });
    return () => {
      isCurrent = false;
      window.removeEventListener("online", load);
    };
  }, [needed, sonner]);

  useEffect(() => {
    if (!sonner) return;
    const ids = toasts.map((toast) => toast.id);
    setTaken((before) => (ids.every((id) => before.includes(id)) ? before : [...new Set([...before, ...ids])]));
  }, [sonner, toasts]);

  useEffect(() => {
    if (!sonner) return;
    for (const toast of toasts) {
      if (!taken.includes(toast.id) || given.current.has(toast.id)) continue;
      // A new toast replaces earlier errors: the player has since tried again.
      for (const id of errors.current) sonner.toast.dismiss(id);
      errors.current = toast.kind === "error" ? [toast.id] : [];
      given.current.add(toast.id);
      const close = toast.kind === "error" ? () => sonner.toast.dismiss(toast.id) : undefined;
      sonner.toast.custom(() => <ToastCard toast={toast} onClose={close} />, {
        id: toast.id,
        duration: toast.kind === "error" ? Number.POSITIVE_INFINITY : SUCCESS_DURATION,
      });
    }
  }, [sonner, taken, toasts]);

  function close({ id }: Toast) {
    given.current.add(id);
    setTaken((before) => [...before, id]);
  }
  const cards = (
    <>
      {needed && (
        <div className="toast-region">
          {waiting.map((toast) => (
            // A card has no button until script can close it.
            <ToastCard key={toast.id} toast={toast} {...(place && { onClose: () => close(toast) })} />
          ))}
        </div>
      )}
      {sonner && (
        <sonner.Toaster
          customAriaLabel="Messages from Lineup"
          expand
          gap={12}
          position={phone.current ? "top-center" : "bottom-right"}
          offset={{ top: 16, right: 40, bottom: 32 }}
          mobileOffset={16}
          toastOptions={{ unstyled: true }}
          style={{ "--width": "360px" } as SonnerProps["style"]}
        />
      )}
    </>
  );
  return place ? createPortal(cards, place) : cards;
}
