import { type ComponentPropsWithoutRef, forwardRef } from "react";

export interface LinkProps extends Omit<ComponentPropsWithoutRef<"a">, "href"> {
  /** A path of this site, or only a query string, which starts with "?". */
  to: string;
  /** `intent` loads the page ahead when a player points at the link for a moment. */
  prefetch?: "intent" | "none" | undefined;
  /** Replaces the current history entry. */
  replace?: boolean | undefined;
  preventScrollReset?: boolean | undefined;
  viewTransition?: boolean | undefined;
  /** Loads a new document instead of navigating in the page. */
  reloadDocument?: boolean | undefined;
}

/**
 * A link within the site: a plain `<a>`. `FollowLinks` listens for clicks on all of them. Remix's own links would take
 * 7 % of the Worker's CPU time for LFG, and would be hydrated and re-rendered in the browser
 * (docs/decisions/0080-plain-links.md). A link's options travel as words in `data-discover`, the attribute by which
 * Remix finds the routes to load ahead.
 */
export const Link = forwardRef<HTMLAnchorElement, LinkProps>(function Link(
  { to, prefetch, replace, preventScrollReset, viewTransition, reloadDocument, ...rest },
  ref,
) {
  const options = [
    prefetch === "intent" && "intent",
    replace && "replace",
    preventScrollReset && "stay",
    viewTransition && "morph",
  ].filter(Boolean);
  return <a {...rest} ref={ref} href={to} data-discover={reloadDocument ? undefined : options.join(" ")} />;
});
