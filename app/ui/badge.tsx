import type { ReactNode } from "react";

const LOOKS = {
  outline: "rounded-badge border border-edge px-[7px] py-0.5 text-muted",
  dashed: "rounded-badge border border-dashed border-edge px-[7px] py-0.5 text-muted",
  good: "rounded-badge border border-good px-[7px] py-0.5 text-good",
  warn: "rounded-badge border border-warn px-[7px] py-0.5 text-warn",
  count: "min-w-5 justify-center rounded-full bg-spot px-1.5 py-0.5 text-on-spot tabular-nums forced-colors:border",
} as const;

/**
 * A short state or label. `dashed` marks something missing, `good` something live, `warn` something that requires an
 * action, and `count` a number.
 */
export function Badge({
  variant = "outline",
  children,
  className = "",
}: {
  variant?: keyof typeof LOOKS;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={`inline-flex flex-none items-center text-badge font-semibold whitespace-nowrap ${LOOKS[variant]} ${className}`}
    >
      {children}
    </span>
  );
}

/** The number on a bell or a tab: at most 99+, decorative, and hidden at 0. */
export function Count({ value, className = "" }: { value?: number; className?: string }) {
  if (!value) return null;
  return (
    <span aria-hidden="true" className={`count inline-flex ${className}`}>
      <Badge variant="count">{value > 99 ? "99+" : value}</Badge>
    </span>
  );
}
