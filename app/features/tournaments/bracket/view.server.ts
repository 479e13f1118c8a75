import type { RequestContext } from "~/platform/context";
import { type BracketView, parseView } from "./view";

const COOKIE = "lineup_bracket";
/** Seconds: a year. */
const KEPT = 365 * 24 * 60 * 60;

/** How this browser wants brackets shown: as the address says, which is kept, else as it last did. */
export function readView({ cookies, isPrefetch }: RequestContext, request: Request): BracketView | null {
  const asked = parseView(new URL(request.url).searchParams.get("view"));
  if (asked && !isPrefetch) cookies.set(COOKIE, asked, { maxAge: KEPT });
  return asked ?? parseView(cookies.get(COOKIE));
}
