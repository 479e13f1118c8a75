import type { ReactNode } from "react";
import { CheckIcon, WarningIcon } from "./icons";

const RAILS = { good: "border-good", danger: "border-danger", info: "border-edge", you: "border-spot-edge" } as const;

/**
 * A box that reports a state under a coloured rail, such as "Account Verified!". `children` explain the state. The
 * variant `you` shows the viewer's own state in their colour.
 */
export function Notice({
  variant = "info",
  title,
  children,
  role,
  className = "",
}: {
  variant?: keyof typeof RAILS;
  title: string;
  children?: ReactNode;
  /** `status` or `alert` if it appears in response to a player's action. */
  role?: "status" | "alert";
  className?: string;
}) {
  return (
    <div
      role={role}
      className={`flex gap-3.5 rounded-b-panel border-t-4 bg-raised px-4 pt-3.5 pb-4 ${RAILS[variant]} ${className}`}
    >
      {variant === "good" && <CheckIcon className="mt-px size-5 text-good" />}
      {variant === "danger" && <WarningIcon className="mt-px size-5 text-danger" />}
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        {children && <div className="mt-1 text-meta leading-[1.46]">{children}</div>}
      </div>
    </div>
  );
}
