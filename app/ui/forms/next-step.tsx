import { Link } from "@remix-run/react";
import type { FormReply } from "~/platform/forms/forms";

/** Where a form that could not be taken says to go on instead. */
export function NextStep({ next }: { next: FormReply["next"] }) {
  if (!next) return null;
  return (
    <p>
      <Link to={next.to} className="link font-semibold">
        {next.label}
      </Link>
    </p>
  );
}
