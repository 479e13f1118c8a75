import type { ReactNode } from "react";

/**
 * A short state or label. `dashed` marks something still to come, `good` something live or done, `warn` something that
 * requires an action, `you` the viewer's own part in something, and `count` a number or something new.
 */
export function Badge({
  variant = "outline",
  children,
  className = "",
}: {
  variant?: "outline" | "dashed" | "good" | "warn" | "you" | "count";
  children: ReactNode;
  className?: string;
}) {
  return (
    <span className={`badge ${className}`.trimEnd()} data-look={variant === "outline" ? undefined : variant}>
      {children}
    </span>
  );
}

/** The number on a bell, a tab or a conversation: at most 99+, decorative, and hidden at 0. */
export function Count({ value, className = "" }: { value?: number; className?: string }) {
  if (!value) return null;
  return (
    <span aria-hidden="true" className={`count ${className}`.trimEnd()}>
      <Badge variant="count">{value > 99 ? "99+" : value}</Badge>
    </span>
  );
}

/** Describes an unread count to screen readers, which don't read its `Count`: at most "More than 99 unread". */
export const unreadWords = (count: number): string => `${count > 99 ? "More than 99" : count} unread`;
