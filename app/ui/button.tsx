import type { ComponentPropsWithoutRef, MouseEvent, ReactNode } from "react";
import { Link, type LinkProps } from "./link";

export type ButtonVariant = "primary" | "secondary" | "quiet" | "danger" | "danger-filled";
type ButtonSize = "row" | "normal" | "landing";

type ButtonStyle = { variant?: ButtonVariant; size?: ButtonSize; className?: string };

/** Returns the attributes that style a button. A page has many buttons, so the style sheet's defaults need none. */
const styleAttributes = (variant: ButtonVariant, size: ButtonSize, className: string) => ({
  className: `btn ${className}`.trimEnd(),
  "data-variant": variant === "secondary" ? undefined : variant,
  "data-size": size === "normal" ? undefined : size,
});

/** Three hanging bars that move while the button's action is running. */
export function BusyBars() {
  return (
    <span className="busy-bars" aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}

type ButtonProps = ButtonStyle &
  ComponentPropsWithoutRef<"button"> & {
    /** While busy, the button keeps its width and focus, ignores clicks, and shows three bars and `busyLabel`. */
    busy?: boolean;
    /** The verb while busy, such as "Saving"; defaults to the button's own label. */
    busyLabel?: string;
    children: ReactNode;
  };

/**
 * A button. Use `primary` once per view; `danger` is outlined, and `danger-filled` is for confirmation steps only.
 * While busy it stays focusable (`aria-disabled`), so that keyboard users don't lose their place.
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
      {...styleAttributes(variant, size, className)}
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

/** A link that looks like a button: for navigation, never for changes. `prefetch` is passed on. */
export function ButtonLink({
  variant = "secondary",
  size = "normal",
  className = "",
  children,
  ...rest
}: ButtonStyle & LinkProps) {
  return (
    <Link {...rest} {...styleAttributes(variant, size, className)}>
      {typeof children === "string" ? children : <span>{children}</span>}
    </Link>
  );
}
