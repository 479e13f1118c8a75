import type { ReactNode } from "react";
import { Link } from "~/ui/link";

/**
 * The head of a page below the queue: a link back, and a heading. The heading may contain a player's name, so it uses
 * the body font and breaks anywhere.
 */
export function ModerationHead({
  back,
  title,
  children,
}: {
  back: { to: string; name: string };
  title: string;
  /** A line below the heading. */
  children?: ReactNode;
}) {
  return (
    <div className="pt-5 pb-5">
      <Link
        to={back.to}
        className="inline-flex min-h-8 items-center text-meta text-muted underline decoration-line underline-offset-3 wrap-anywhere hover:decoration-text touch:min-h-11"
      >
        {back.name}
      </Link>
      <h1 className="text-title-phone font-semibold wrap-anywhere md:text-title">{title}</h1>
      {children}
    </div>
  );
}
