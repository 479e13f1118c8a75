import type { RequestContext } from "../context";
import { readConventions } from "./date-conventions.server";
import type { Clock } from "./dates";
import { chooseZone, readTimeZone, ZONE_COOKIE, ZONE_FIELD, ZONE_KEPT } from "./time-zone";

/** The zones that a request names by itself; what is no zone counts as absent. */
export const readZones = (request: Request, { cookies }: Pick<RequestContext, "cookies">): RequestContext["zones"] => ({
  browser: readTimeZone(cookies.get(ZONE_COOKIE)),
  address: readTimeZone(request.cf?.timezone),
});

/** Believes the zone that a form brings, and keeps it: the page that answers is right already. */
export function takeZoneOf(form: FormData, { cookies, zones }: Pick<RequestContext, "cookies" | "zones">): void {
  const browser = readTimeZone(form.get(ZONE_FIELD));
  if (!browser || browser === zones.browser) return;
  zones.browser = browser;
  cookies.set(ZONE_COOKIE, browser, { maxAge: ZONE_KEPT, httpOnly: false });
}

/** The clock of whoever reads the answer to a request. */
export async function findClock(request: Request, { viewer, zones, now }: RequestContext): Promise<Clock> {
  const profile = (await viewer())?.timeZone ?? null;
  return { now, ...chooseZone({ profile, ...zones }), ...readConventions(request.headers.get("Accept-Language")) };
}
