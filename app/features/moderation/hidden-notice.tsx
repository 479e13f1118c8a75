import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { Notice } from "~/ui/notice";

/** Tells the author that moderators have hidden something, and leads to the decision. */
export function HiddenNotice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Notice title={title} className="mt-5">
      {children}{" "}
      <Link to="/account/decisions" className="link">
        Read the decision
      </Link>
    </Notice>
  );
}
