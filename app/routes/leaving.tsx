import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { LeavingPage } from "~/features/flags/leaving-page";
import { readLeaving } from "~/features/flags/shared/leaving.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { ownPath } from "~/platform/request/origin";
import "~/shell";

export const meta: MetaFunction = () => [
  ...privatePage("You're leaving"),
  // The other site learns nothing, and our own forms keep their origin.
  { name: "referrer", content: "same-origin" },
];

/** The page has only text, links and the footer's form. */
export const handle = { withoutScript: true };

/** Works only for addresses that we have signed, so that nobody can send players on to a site of their choice. */
export function loader({ request, context }: LoaderFunctionArgs) {
  const link = readLeaving(context, new URL(request.url).searchParams);
  if (!link) notFound(context, request);
  return { link, back: pageBefore(request, context.origin) };
}

/** Returns the path of the page with the link, or `/` if the browser doesn't say. */
function pageBefore(request: Request, origin: string): string {
  const referrer = request.headers.get("Referer") ?? "";
  const path = referrer.startsWith(`${origin}/`) ? ownPath(referrer.slice(origin.length)) : null;
  return path && !path.startsWith("/leaving") ? path : "/";
}

export default function Leaving() {
  const { link, back } = useLoaderData<typeof loader>();
  return <LeavingPage link={link} back={back} />;
}
