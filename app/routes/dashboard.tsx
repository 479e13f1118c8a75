import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { ViewerHeader } from "~/features/dashboard/viewer-header";
import { UnreadProvider } from "~/features/notifications/unread-context";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { countUnread } from "~/platform/unread.server";
import { keepUnderDialog } from "~/ui/dialogs";
import { SiteFooter } from "~/ui/site-footer";
import { useInertBehindDialog } from "~/ui/use-inert-behind-dialog";

export const shouldRevalidate = keepUnderDialog;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const { conversationId } = params;
  const visit =
    conversationId && !context.isPrefetch ? { conversationId, subject: `conversation:${conversationId}` } : null;
  const [{ name, letter, avatarId, verified }, { messages, notifications }] = await Promise.all([
    requireViewer(context, request),
    countUnread(context.db, userId, visit),
  ]);
  return { viewer: { name, letter, avatarId, verified }, unread: { messages, notifications } };
}

export default function Dashboard() {
  const { viewer, unread } = useLoaderData<typeof loader>();
  const inert = useInertBehindDialog();
  return (
    <UnreadProvider loaded={unread}>
      <div className="flex min-h-dvh flex-col">
        <div className="contents" {...inert}>
          <ViewerHeader {...viewer} />
        </div>
        <Outlet />
        <div className="contents" {...inert}>
          <SiteFooter signedIn />
        </div>
      </div>
    </UnreadProvider>
  );
}
