import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { postIdOf } from "~/features/lfg/params.server";
import { findPost } from "~/features/lfg/queries.server";
import { isOpen, opensAgain, reopenableUntil } from "~/features/lfg/rules";
import { wayBack } from "~/features/lfg/way-back";
import { soonTime } from "~/platform/dates/time";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Close Post");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = postIdOf(params, context, request);
  const [viewer, post, clock] = await Promise.all([
    requireViewer(context, request),
    findPost(context.db, id, context.claim?.userId),
    context.clock(),
  ]);
  if (post?.userId !== viewer.id) notFound(context, request);
  const url = new URL(request.url);
  const way = wayBack(id, url);
  const isListed = isOpen(post, context.now);
  if (!isListed && !opensAgain(post, context.now)) {
    throw redirectWithToast(context, way.page, {
      kind: "error",
      title: "Error",
      description: post.hiddenAt
        ? "Moderators have hidden this post, so you can't close it."
        : "This post is already closed.",
    });
  }
  return {
    title: post.title,
    isListed,
    hasTeam: post.takenSpots > 0,
    until: soonTime(reopenableUntil(post, context.now), clock),
    closeTo: way.dialog,
    action: `/lfg/${id}${url.search}`,
  };
}

/** The confirmation; the post's own page handles its form. */
export default function ClosePost() {
  const { title, isListed, hasTeam, until, closeTo, action } = useLoaderData<typeof loader>();
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title="Close Post" closeTo={closeTo} isQuestion>
      <p className="wrap-anywhere">
        {isListed ? (
          <>
            <bdi>“{title}”</bdi> leaves the list, and we'll tell players who are waiting for your answer.{" "}
            {hasTeam &&
              "Your team and its chat stay. Your session then ends in two hours: its party code and voice link are cleared, and everyone is asked for feedback. "}
            You can reopen the post until {until}.
          </>
        ) : (
          <>
            Your team for <bdi>“{title}”</bdi> is complete. If you close the post, it stays closed when someone leaves.
            You can reopen it until {until}.
          </>
        )}
      </p>
      <DialogForm action={action} className="mt-5">
        <DialogFooter closeTo={closeTo}>
          <Button name="intent" value="close" variant="primary" busy={busy} busyLabel="Closing">
            Close Post
          </Button>
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
