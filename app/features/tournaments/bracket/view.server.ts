import type { RequestContext } from "~/platform/context";
import { type BracketView, parseView } from "./view";

const COOKIE = "lineup_bracket";
/** A year, in seconds. */
const KEPT = 365 * 24 * 60 * 60;

/**
 * How this browser wants brackets shown: the view in the address, which is then remembered, or else the one remembered
 * last.
 */
export function readView({ cookies, isPrefetch }: RequestContext, request: Request): BracketView | null {
  const asked = parseView(new URL(request.url).searchParams.get("view"));
  if (asked && !isPrefetch) cookies.set(COOKIE, asked, { maxAge: KEPT });
  return asked ?? parseView(cookies.get(COOKIE));
}
