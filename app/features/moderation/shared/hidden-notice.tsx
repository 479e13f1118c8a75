import type { ReactNode } from "react";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";

/** Tells the author that moderators have hidden something, and links to the decision. */
export function HiddenNotice({
  title,
  children,
  className,
}: {
  title: string;
  children: ReactNode;
  className: string;
}) {
  return (
    <Notice title={title} className={className}>
      {children}{" "}
      <Link to="/account/decisions" className="link">
        Read the decision
      </Link>
    </Notice>
  );
}
