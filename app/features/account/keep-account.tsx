import { Form } from "@remix-run/react";
import { Button, type ButtonVariant } from "~/ui/button";

/**
 * The button that cancels a scheduled deletion, on any page.
 * @param props.to the address of the page `Delete Account`, whose action handles the button
 */
export function KeepAccount({
  to = "/dashboard/settings/delete-account",
  ...button
}: {
  to?: string;
  variant?: ButtonVariant;
  size?: "row";
  className?: string;
}) {
  return (
    <Form method="post" action={to} className={button.className}>
      <Button name="intent" value="keep" variant={button.variant} size={button.size}>
        Keep My Account
      </Button>
    </Form>
  );
}

/** Shown on every page of the dashboard while the account is scheduled for deletion. */
export function DeletionNotice({ dueOn, to }: { dueOn: string; to?: string }) {
  return (
    <aside aria-label="Deletion" className="border-b border-line bg-sheet">
      <div className="measure flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
        <p className="max-md:text-meta">Your account will be deleted on {dueOn}.</p>
        <KeepAccount size="row" {...(to && { to })} />
      </div>
    </aside>
  );
}
