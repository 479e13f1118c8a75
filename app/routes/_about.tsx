import type { LinksFunction, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { countUnread } from "~/features/notifications/shared/unread.server";
import textPageStyles from "~/styles/text-page.css";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: textPageStyles }];

/** The pages in this frame consist of text and links, so they load no script. */
export const handle = { withoutScript: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const { db, claim } = context;
  const [viewer, unread] = await Promise.all([context.viewer(), claim && countUnread(db, claim.userId)]);
  return presentFrame(viewer, unread);
}

/** The frame of the pages about Lineup itself: rules, terms, privacy, contact and imprint. */
export default function AboutFrame() {
  const { viewer, unread } = useLoaderData<typeof loader>();
  return (
    <PublicPage viewer={viewer} unread={unread}>
      <Outlet />
    </PublicPage>
  );
}
