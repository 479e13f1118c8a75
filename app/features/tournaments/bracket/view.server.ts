import type { RequestContext } from "~/platform/context";
import { YEAR } from "~/platform/dates/durations";
import { type BracketView, parseView } from "./view";

const COOKIE = "lineup_bracket";

/** The time that a view is remembered, in seconds. */
const LIFETIME = YEAR / 1000;

/**
 * Reads how to show brackets in this browser: the view in the address, which a cookie then remembers, otherwise the
 * remembered view.
 */
export function readView({ cookies, isPrefetch }: RequestContext, request: Request): BracketView | null {
  const requested = parseView(new URL(request.url).searchParams.get("view"));
  if (requested && !isPrefetch) cookies.set(COOKIE, requested, { maxAge: LIFETIME });
  return requested ?? parseView(cookies.get(COOKIE));
}
