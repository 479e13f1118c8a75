import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { postIdOf } from "~/features/lfg/params.server";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { wayBack } from "~/features/lfg/way-back";
import { findProfile } from "~/features/players/queries.server";
import { askToJoin, whyNotJoin } from "~/features/teams/actions.server";
import { JoinForm } from "~/features/teams/join-form";
import { findOwnRequest } from "~/features/teams/queries.server";
import { joinSchema } from "~/features/teams/schema";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { refuseVisit } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const FAILED = "Error sending request";

export const meta: MetaFunction<typeof loader> = () => privatePage("Request to Join");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = postIdOf(params, context, request);
  const way = wayBack(postId, new URL(request.url));
  const userId = context.claim?.userId;
  const [post, asked, profile] = await Promise.all([
    findPost(context.db, postId, userId),
    userId ? findOwnRequest(context.db, postId, userId) : undefined,
    userId ? findProfile(context.db, userId) : undefined,
    // Sends the session check in the same round trip.
    context.viewer(),
  ]);
  if (!post) notFound(context, request);
  const viewer = await requireViewer(context, request, "Please sign in to join other players.");
  const shown = presentPost(post, await context.clock());
  const refusal = whyNotJoin({
    ...shown,
    isOwn: post.userId === viewer.id,
    asked: asked?.state ?? null,
    hasBlocked: post.hasBlocked,
    isBlocked: post.isBlocked,
  });
  if (refusal) refuseVisit(context, way.page, refusal.error);
  return {
    closeTo: way.dialog,
    title: shown.title,
    name: shown.author.name,
    id: uuidv7(context.now.getTime()),
    role: profile?.preferredRole ?? null,
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const postId = postIdOf(params, context, request);
  return answerForm(args, {
    schema: joinSchema,
    failed: FAILED,
    limit: "join",
    to: wayBack(postId, new URL(request.url)).dialog,
    run: ({ value, viewer }) => askToJoin(context, { ...value, postId, userId: viewer.id }),
  });
}

export const clientAction = offlineAction(FAILED);

export default function JoinDialog() {
  const { closeTo, title, name, id, role } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Request to Join" closeTo={closeTo}>
      <JoinForm reply={reply} id={id} title={title} author={name} role={role} closeTo={closeTo} />
    </RouteDialog>
  );
}
