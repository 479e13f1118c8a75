import type { Blocker } from "@remix-run/react";
import { useId, useRef } from "react";
import { Button } from "../button";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";

/**
 * Asks for confirmation before a navigation discards unsaved changes. Renders nothing unless a navigation is blocked.
 */
export function LeaveQuestion({ blocker, children }: { blocker: Blocker; children: string }) {
  return blocker.state === "blocked" ? (
    <Question stay={blocker.reset} leave={blocker.proceed}>
      {children}
    </Question>
  ) : null;
}

function Question({ stay, leave, children }: { stay: () => void; leave: () => void; children: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useBrowserLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closing restores the previous focus.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      className="route-dialog question-dialog"
      onCancel={(event) => {
        event.preventDefault();
        stay();
      }}
    >
      <h2 id={`${id}-title`} className="font-display text-section">
        Leave without saving?
      </h2>
      <p id={`${id}-text`} className="mt-2 text-muted">
        {children}
      </p>
      <div className="mt-5 flex flex-row-reverse flex-wrap gap-2">
        <Button type="button" variant="primary" onClick={stay} className="max-md:flex-1">
          Stay
        </Button>
        <Button type="button" variant="danger" onClick={leave} className="max-md:flex-1">
          Leave
        </Button>
      </div>
    </dialog>
  );
}
