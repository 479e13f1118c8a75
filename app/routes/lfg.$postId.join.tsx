import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { postIdOf } from "~/features/lfg/params.server";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { wayBack } from "~/features/lfg/way-back";
import { askToJoin, whyNotJoin } from "~/features/teams/join.server";
import { JoinForm } from "~/features/teams/join-form";
import { findOwnRequest } from "~/features/teams/queries.server";
import { joinSchema } from "~/features/teams/schema";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

const FAILED = "Error sending request";

export const meta: MetaFunction<typeof loader> = () => privatePage("Request to Join");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = postIdOf(params, context, request);
  const url = new URL(request.url);
  const way = wayBack(postId, url);
  const userId = context.claim?.userId;
  const [viewer, post, asked] = await Promise.all([
    context.viewer(),
    findPost(context.db, postId, userId),
    userId ? findOwnRequest(context.db, postId, userId) : undefined,
  ]);
  if (!post) notFound(context, request);
  // Under the answer to a form nothing leads away: what was typed is on this page.
  if (!viewer && context.submitted) throw new Response("Not authenticated", { status: 401 });
  if (!viewer) {
    throw redirectWithToast(
      context,
      `/auth?${new URLSearchParams({ redirectTo: `/lfg/${postId}/join${url.search}` })}`,
      {
        kind: "error",
        title: "Authentication required",
        description: "Please sign in to join other players.",
      },
    );
  }
  const shown = presentPost(post, await context.clock());
  const refusal = whyNotJoin({
    ...shown,
    isOwn: post.userId === viewer.id,
    asked: asked?.state ?? null,
    hasBlocked: post.hasBlocked,
    isBlocked: post.isBlocked,
  });
  if (refusal && !context.submitted) {
    throw redirectWithToast(context, way.page, { kind: "error", title: "Error", description: refusal.error });
  }
  return { closeTo: way.dialog, title: shown.title, name: shown.author.name, id: uuidv7(context.now.getTime()) };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const postId = postIdOf(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: joinSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const userId = context.claim?.userId;
    const [viewer, limit] = await Promise.all([
      context.viewer(),
      userId && submission.status === "success" ? countUse(context, "join", userId) : null,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (submission.status !== "success") return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const asked = await askToJoin(context, { ...submission.value, postId, userId: viewer.id });
    if (!asked.ok) return refuseForm(context, submission, FAILED, asked);
    return redirectWithToast(context, wayBack(postId, new URL(request.url)).dialog, {
      kind: "success",
      title: "Request sent!",
      description: "You hear from us when the author has answered.",
    });
  });
}

/** Offline the dialog stays open, with what was entered. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function JoinDialog() {
  const { closeTo, title, name, id } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Request to Join" closeTo={closeTo}>
      <JoinForm reply={reply} id={id} title={title} author={name} closeTo={closeTo} />
    </RouteDialog>
  );
}
