import type { RequestContext } from "../context";
import { readConventions } from "./date-conventions.server";
import type { Clock } from "./dates";
import { chooseZone, readTimeZone, ZONE_COOKIE, ZONE_COOKIE_LIFETIME, ZONE_FIELD } from "./time-zone";

/** Reads the time zones that a request carries; invalid names count as absent. */
export const readZones = (request: Request, { cookies }: Pick<RequestContext, "cookies">): RequestContext["zones"] => ({
  browser: readTimeZone(cookies.get(ZONE_COOKIE)),
  address: readTimeZone(request.cf?.timezone),
});

/** Adopts a form's time zone for this response and, stored in the cookie, for later requests. */
export function adoptFormZone(form: FormData, { cookies, zones }: Pick<RequestContext, "cookies" | "zones">): void {
  const browser = readTimeZone(form.get(ZONE_FIELD));
  if (!browser || browser === zones.browser) return;
  zones.browser = browser;
  cookies.set(ZONE_COOKIE, browser, { maxAge: ZONE_COOKIE_LIFETIME });
}

/** Determines the reader's clock for a response. */
export async function findClock(request: Request, { restrictedViewer, zones, now }: RequestContext): Promise<Clock> {
  const profile = (await restrictedViewer())?.timeZone ?? null;
  return { now, ...chooseZone({ profile, ...zones }), ...readConventions(request.headers.get("Accept-Language")) };
}
