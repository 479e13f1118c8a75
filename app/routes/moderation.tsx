import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { requireClaimedModeratorId, requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { QUEUE_NEWS } from "~/features/moderation/shared/staff-news.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { useUnread } from "~/features/notifications/shared/unread-context";
import "~/shell";

/** Loads the frame of all moderation pages, for moderators and admins only. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const userId = requireClaimedModeratorId(context, request);
  const isQueue = new URL(request.url).pathname === "/moderation";
  const subject = params.caseId ? subjectOf("case", params.caseId) : isQueue ? QUEUE_NEWS : null;
  const [viewer, unread] = await Promise.all([
    requireModerator(context, request),
    countUnread(context.db, userId, subject && !context.isPrefetch ? { subject } : null),
  ]);
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
