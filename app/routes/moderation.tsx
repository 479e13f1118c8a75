import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { requireClaimedModeratorId, requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { useUnread } from "~/features/notifications/shared/unread-context";
import "~/shell";

/** Loads the frame of all moderation pages, for moderators and admins only. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = requireClaimedModeratorId(context, request);
  const [viewer, unread] = await Promise.all([requireModerator(context, request), countUnread(context.db, userId)]);
  return presentFrame(viewer, unread);
}

export default function ModerationFrame() {
  return (
    <PublicPage {...useLoaderData<typeof loader>()}>
      <LiveOutlet />
    </PublicPage>
  );
}

/** Passes on the number of waiting cases once the inbox has reported it. */
const LiveOutlet = () => <Outlet context={useUnread().cases} />;
