import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { calendarResponse, findEvent } from "~/features/tournaments/calendar/feed.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { notFound } from "~/platform/request/not-found.server";

/** Serves one tournament as a calendar file. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { db, origin, now } = context;
  const event = await findEvent(db, tournamentIdOf(params, context, request));
  if (!event) notFound(context, request);
  return calendarResponse([event], { name: event.title, fileName: "tournament.ics", origin, now });
}
