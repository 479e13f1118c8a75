import { useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import type { Toast } from "~/platform/pages/toast";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";
import { CheckIcon, CloseIcon, WarningIcon } from "../icons";

/** One toast: a rail in the colour of its kind, icon, title and text; `onClose` adds a close button. */
export function ToastCard({
  toast: { id, kind, title, description, atForm },
  onClose,
}: {
  toast: Toast;
  onClose?: (() => void) | undefined;
}) {
  const success = kind === "success";
  return (
    <div
      role={success ? "status" : "alert"}
      data-kind={kind}
      data-toast={id}
      data-at-form={atForm}
      className="toast-card"
    >
      {success ? (
        <CheckIcon className="mt-0.5 size-[18px] text-good" />
      ) : (
        <WarningIcon className="mt-[3px] size-4 text-danger" />
      )}
      <div className="min-w-0">
        <p className="text-body font-semibold">{title}</p>
        {description && <p className="text-meta text-muted">{description}</p>}
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
 * Returns the browser's container for toasts, at the end of the page or of the open dialog. A modal dialog makes
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

type Layer = typeof import("./toast-layer.client")["ToastLayer"];

/**
 * The feedback on a player's last action. The server renders the cards into the page. Once the browser has loaded
 * sonner (only if there is a card), the layer takes their place in one render, so no card shows twice. In the layer,
 * successes disappear after five seconds, and errors when they are closed, when a newer toast comes, or when their page
 * is left.
 */
export function Toaster({ toasts }: { toasts: readonly Toast[] }) {
  const [Layer, setLayer] = useState<Layer>();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const place = useToastPlace();
  const needed = toasts.length > 0;

  useEffect(() => {
    if (!needed || Layer) return;
    let isCurrent = true;
    const load = () =>
      import("./toast-layer.client").then(
        (module) => isCurrent && setLayer(() => module.ToastLayer),
        () => {}, // After a network failure or a new deployment, the server's cards simply stay.
      );
    // Browsers request a module once. Requested offline, it would be missing for the rest of the page's lifetime.
    if (navigator.onLine) load();
    else window.addEventListener("online", load, { once: true });
    return () => {
      isCurrent = false;
      window.removeEventListener("online", load);
    };
  }, [needed, Layer]);

  const waiting = toasts.filter(({ id }) => !closed.includes(id));
  const cards = Layer ? (
    <Layer toasts={toasts} closed={closed} Card={ToastCard} />
  ) : (
    waiting.length > 0 && (
      <div className="toast-region">
        {waiting.map((toast) => (
          // A card has no button until script can close it.
          <ToastCard
            key={toast.id}
            toast={toast}
            onClose={place && (() => setClosed((before) => [...before, toast.id]))}
          />
        ))}
      </div>
    )
  );
  return place ? createPortal(cards, place) : cards;
}
