/**
 * The browser's half of `toaster.tsx`, loaded with the first toast. Only this module imports sonner: the server renders
 * toasts itself, which keeps sonner out of the Worker.
 */
import { type ComponentType, useEffect, useRef, useState } from "react";
import { type ToasterProps as SonnerProps, toast as sonner, Toaster } from "sonner";
import type { Toast } from "~/platform/pages/toast";

/**
 * The time that a success toast stays, in milliseconds. Errors stay until the player closes them or leaves the page, or
 * until a newer toast replaces them.
 */
const SUCCESS_DURATION = 5000;

/*
 * When the focus leaves the toasts, sonner gives it back to the element that had it before. Toasts are at the end of
 * the page, so a player who tabs past one would be sent back there until the toast disappears. Stopping the event here
 * hides it from React, and so from sonner.
 */
addEventListener(
  "focusout",
  (event) => {
    if (event.target instanceof Element && event.target.closest("[data-sonner-toaster]")) event.stopPropagation();
  },
  true,
);

// On touch screens a tap closes a toast, as a swipe does.
addEventListener("click", ({ target }) => {
  const card = target instanceof Element && target.closest<HTMLElement>("[data-sonner-toast] [data-toast]");
  if (card && matchMedia("(pointer: coarse)").matches) sonner.dismiss(card.dataset.toast);
});

/** Shows toasts, each once in the page's lifetime, and closes errors that are no longer among them. */
export function ToastLayer({
  toasts,
  closed,
  Card,
}: {
  toasts: readonly Toast[];
  /** The ids of the toasts that were closed before the layer loaded. */
  closed: readonly string[];
  /** A prop, not an import: a second entry to the shell's modules would split their file in two. */
  Card: ComponentType<{ toast: Toast; onClose?: (() => void) | undefined }>;
}) {
  const given = useRef(new Set(closed));
  const errors = useRef<string[]>([]);
  const [summarised, setSummarised] = useState<readonly string[]>([]);
  const [isPhone] = useState(() => matchMedia("(max-width: 699.9px)").matches);

  useEffect(() => {
    for (const id of errors.current) if (!toasts.some((toast) => toast.id === id)) sonner.dismiss(id);
    errors.current = toasts.flatMap(({ id, kind }) => (kind === "error" ? id : []));
    for (const toast of toasts) {
      const { id, kind, atForm } = toast;
      if (given.current.has(id)) continue;
      given.current.add(id);
      const isError = kind === "error";
      if (atForm && document.querySelector(".error-summary")) {
        setSummarised((before) => [...before, id]);
        continue;
      }
      sonner.custom(() => <Card toast={toast} onClose={isError ? () => sonner.dismiss(id) : undefined} />, {
        id,
        duration: isError ? Number.POSITIVE_INFINITY : SUCCESS_DURATION,
      });
    }
  }, [toasts, Card]);

  return (
    <>
      {/* For screen readers only, because the form's summary already shows the error. */}
      <div className="sr-only">
        {toasts.map((toast) => summarised.includes(toast.id) && <Card key={toast.id} toast={toast} />)}
      </div>
      <Toaster
        customAriaLabel="Messages from Lineup"
        expand
        gap={12}
        visibleToasts={isPhone ? 1 : 3}
        position={isPhone ? "top-center" : "bottom-right"}
        swipeDirections={isPhone ? ["top", "left", "right"] : ["bottom", "right"]}
        offset={{ top: 72, right: 40, bottom: 32 }}
        mobileOffset={{ top: 72, left: 16, right: 16 }}
        toastOptions={{ unstyled: true }}
        style={{ "--width": "360px" } as SonnerProps["style"]}
      />
    </>
  );
}
