import { Form, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button } from "~/ui/button";

const RAILS = {
  warn: "border-warn",
  good: "border-good",
  danger: "border-danger",
  you: "border-spot-edge",
  none: "border-edge",
};

/** A box under a rail: the current situation, and the viewer's next step. */
export function Panel({
  rail,
  title,
  text,
  aside,
  children,
}: {
  rail: keyof typeof RAILS;
  title: string;
  text: ReactNode;
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section
      aria-label="What happens now"
      className={`rounded-b-panel border-t-4 bg-sheet px-4 pt-4 pb-5 ${RAILS[rail]}`}
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0 wrap-anywhere">
          <h2 className="font-semibold">{title}</h2>
          <p className="mt-1 text-meta text-muted">{text}</p>
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** A button without fields. @param expects the time of the report that the page shows, in milliseconds since 1970 */
export function PanelButton({
  intent,
  expects,
  variant = "secondary",
  busyLabel,
  className = "mt-4",
  children,
}: {
  intent: string;
  expects?: number;
  variant?: "primary" | "secondary";
  busyLabel: string;
  className?: string;
  children: ReactNode;
}) {
  const busy = useNavigation().formData?.get("intent") === intent;
  return (
    <Form method="post" preventScrollReset className={className}>
      {expects !== undefined && <input type="hidden" name="expects" value={expects} />}
      <Button name="intent" value={intent} variant={variant} busy={busy} busyLabel={busyLabel}>
        {children}
      </Button>
    </Form>
  );
}
