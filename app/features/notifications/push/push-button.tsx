import { useRef, useState } from "react";
import { isOffline } from "~/platform/network";
import { Button } from "~/ui/button";

const load = () => import("./turn-on.client");
/**
 * Loads the script when the player is about to press the button, so that the permission prompt immediately follows the
 * click. Requested offline, it would be missing for the rest of the page's lifetime. If it can't be loaded, a click
 * says so.
 */
const preload = () => void (isOffline() || load().catch(() => undefined));

/**
 * Turns on push in this browser. Hidden without JavaScript, which it needs.
 * @param props.publicKey the site's key
 * @param props.onTurnedOn runs once push is on, and moves the focus from the button, which disappears; by default a
 *   sentence replaces the button and takes the focus
 */
export function PushButton({
  publicKey,
  label,
  className = "",
  onTurnedOn,
}: {
  publicKey: string;
  label: string;
  className?: string;
  onTurnedOn?: () => void;
}) {
  const [state, setState] = useState<"off" | "busy" | "on">("off");
  const [problem, setProblem] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  async function press() {
    setState("busy");
    const reason = isOffline()
      ? "Push couldn't be turned on. Check your connection, then try again."
      : await load().then(
          ({ turnOnPush }) => turnOnPush(publicKey),
          () => "Push couldn't be turned on. Reload the page, then try again.",
        );
    setProblem(reason);
    setState(reason === null ? "on" : "off");
    if (reason !== null) return;
    if (onTurnedOn) onTurnedOn();
    else status.current?.focus();
  }
  return (
    <div className={`noscript:hidden ${className}`}>
      {state !== "on" && (
        <Button
          type="button"
          busy={state === "busy"}
          busyLabel="Turning on"
          onPointerEnter={preload}
          onFocus={preload}
          onClick={press}
        >
          {label}
        </Button>
      )}
      <p ref={status} role="status" tabIndex={-1} className="text-meta text-muted">
        {state === "on" && !onTurnedOn ? "Push is on in this browser." : problem}
      </p>
    </div>
  );
}
