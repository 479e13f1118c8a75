import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { calendarResponse, findFeed } from "~/features/tournaments/calendar/feed.server";
import { notFound } from "~/platform/request/not-found.server";

/**
 * Serves a player's tournaments to calendar apps at `/calendar/<token>.ics`. Anyone with the address may read them.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { db, origin, now } = context;
  const token = params.feed?.match(/^([\w-]{27})\.ics$/)?.[1];
  const events = token ? await findFeed(db, token) : null;
  if (!events) notFound(context, request);
  return calendarResponse(events, { name: "Lineup tournaments", fileName: "lineup.ics", origin, now });
}
