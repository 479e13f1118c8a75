import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useEffect, useState } from "react";
import { useAuth } from "~/features/auth/shared/auth-context";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { SiteHeader } from "~/ui/page/site-header";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Session");

/** Local only: the signed-in player, and the events of `useAuth` while the page is open. */
export function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.LOCAL_TOOLS) notFound(context, request);
  return null;
}

export default function SessionEvents() {
  const { user, onAuthStateChange } = useAuth();
  const [events, setEvents] = useState<string[]>([]);
  useEffect(
    () => onAuthStateChange((event, who) => setEvents((before) => [...before, `${event} ${who?.name ?? "nobody"}`])),
    [onAuthStateChange],
  );
  return (
    <>
      <SiteHeader />
      <main id="content" className="measure py-7">
        <h1 className="font-display text-title-phone md:text-title">Session</h1>
        <p className="mt-2">Signed in: {user?.name ?? "nobody"}</p>
        <ol aria-label="Events" className="mt-4 border-t-2 border-text">
          {events.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: events are only added, and the same one may come twice
            <li key={index} className="border-b border-line py-2.5">
              {event}
            </li>
          ))}
        </ol>
      </main>
    </>
  );
}
