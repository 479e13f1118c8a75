import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { presentViewer } from "~/features/dashboard/shared/frame.server";
import { parseThreadPlace } from "~/features/messages/list/cursor";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { settingsAddress } from "~/features/settings/subjects";
import { longDate } from "~/platform/dates/dates";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";

/** A notice above every dashboard page. The loader sends its text, so that pages without a notice don't download it. */
interface DashboardNotice {
  label: string;
  text: string;
  to: string;
  link: string;
}

/*
 * The loader has a file of its own: if the route imported these server modules itself, the browser would have to
 * request an empty file for each of them that other routes import too (docs/decisions/0011).
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { conversationId } = params;
  // A page of older messages doesn't mark the newest as read.
  const marksRead = !context.isPrefetch && parseThreadPlace(request.url).before === null;
  const visit =
    conversationId && marksRead ? { conversationId, subject: subjectOf("conversation", conversationId) } : null;
  const [viewer, { messages, notifications }] = await Promise.all([
    requireViewer(context, request),
    countUnread(context.db, userId, visit),
  ]);
  const { emailFailed, deletionDueAt } = viewer;
  return {
    viewer: presentViewer(viewer),
    notice: emailFailed
      ? ({
          label: "Your email",
          text: "Our emails don't reach you.",
          to: settingsAddress("email"),
          link: "Check your address",
        } satisfies DashboardNotice)
      : null,
    unread: { messages, notifications },
    dueOn: deletionDueAt && longDate(deletionDueAt, await context.clock()),
  };
}
