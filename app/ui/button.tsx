import { Link, type LinkProps } from "@remix-run/react";
import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "danger-filled";
type ButtonSize = "row" | "normal" | "landing";

type Look = { variant?: ButtonVariant; size?: ButtonSize; className?: string };

/** Three hanging bars that move while something is under way. */
export function BusyBars() {
  return (
    <span className="busy-bars" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

type ButtonProps = Look &
  ComponentPropsWithoutRef<"button"> & {
    /** Under way: keeps its width and its focus, ignores presses, shows three bars and `busyLabel`. */
    busy?: boolean;
    /** The verb while busy, as "Saving"; the button's own words when left out. */
    busyLabel?: string;
    children: ReactNode;
  };

/**
 * A button. `primary` once per view; `danger` is outlined, `danger-filled` belongs to the confirming step only.
 * While busy it stays focusable (`aria-disabled`), so the keyboard does not lose its place.
 */
export function Button({
  variant = "secondary",
  size = "normal",
  className = "",
  busy = false,
  busyLabel,
  type = "submit",
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      onClick={handleClick}
      className={`btn ${className}`}
      data-variant={variant}
      data-size={size}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
    >
      <span className="btn-label">{children}</span>
      {busy && (
        <span className="btn-busy">
          <BusyBars />
          {busyLabel ?? children}
        </span>
      )}
    </button>
  );
}

/** A link that looks like a button: for going somewhere, never for changing something. `prefetch` passes through. */
export function ButtonLink({
  variant = "secondary",
  size = "normal",
  className = "",
  children,
  ...rest
}: Look & LinkProps) {
  return (
    <Link {...rest} className={`btn ${className}`} data-variant={variant} data-size={size}>
      <span>{children}</span>
    </Link>
  );
}
