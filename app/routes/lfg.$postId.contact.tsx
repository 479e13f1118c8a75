import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { wayBack } from "~/features/lfg/way-back";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { greeting } from "~/features/messages/rules";
import { messageSchema } from "~/features/messages/schema";
import {
  CONTACT_SIGNED_OUT,
  countMessage,
  POST_CLOSED,
  SEND_FAILED,
  sendToAuthor,
} from "~/features/messages/send.server";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";

/** What is said when nobody knows why (specification, section 8). */
const FAILED = "Failed to start conversation. Please try again.";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Contact ${data.name}` : "Contact");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = idParam(params, "postId", context, request);
  const url = new URL(request.url);
  const way = wayBack(postId, url);
  const [viewer, post] = await Promise.all([context.viewer(), findPost(context.db, postId, context.claim?.userId)]);
  if (!post) notFound(context, request);
  // Under the answer to a form nothing leads away: what was typed is on this page.
  if (!viewer && context.submitted) throw new Response("Not authenticated", { status: 401 });
  if (!viewer) {
    throw redirectWithToast(
      context,
      `/auth?${new URLSearchParams({ redirectTo: `/lfg/${postId}/contact${url.search}` })}`,
      {
        kind: "error",
        title: "Authentication required",
        description: "Please sign in to contact other players.",
      },
    );
  }
  const { author, isOpen, title } = presentPost(post, await context.clock());
  const refusal =
    (post.userId === viewer.id && "This is your own post.") ||
    ((post.hasBlocked || post.isBlocked) && "You can't write to this player.") ||
    (!isOpen && "This post is closed, so its author can't be contacted.");
  if (refusal && !context.submitted) {
    throw redirectWithToast(context, way.page, { kind: "error", title: "Error", description: refusal });
  }
  return {
    closeTo: way.dialog,
    name: author.name,
    values: { id: uuidv7(context.now.getTime()), message: greeting(title) },
  };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const postId = idParam(params, "postId", context, request);
  const submission = parseWithZod(await request.formData(), { schema: messageSchema });
  return orDatabaseAway(
    context,
    submission,
    SEND_FAILED,
    async () => {
      const userId = context.claim?.userId;
      const isReady = userId && submission.status === "success";
      const [viewer, post, ...limits] = await Promise.all([
        context.viewer(),
        findPost(context.db, postId),
        ...(isReady ? [countMessage(context, userId), countUse(context, "contact", userId)] : []),
      ]);
      if (!viewer) return refuseForm(context, submission, "Authentication required", CONTACT_SIGNED_OUT);
      // Deleted meanwhile. An open page keeps what was typed; without script there is no page left to show it on.
      if (!post) return refuseForm(context, submission, SEND_FAILED, POST_CLOSED);
      if (submission.status !== "success") return refuseForm(context, submission, SEND_FAILED);
      for (const limit of limits) {
        if (!limit.allowed) return refuseForm(context, submission, SEND_FAILED, tooManyTries(limit.retryAfter));
      }
      if (post.userId === viewer.id) {
        const error = "This is your own post: there is nobody to write to.";
        return refuseForm(context, submission, SEND_FAILED, { status: 409, error });
      }
      const sent = await sendToAuthor(context, submission.value, viewer.id, { postId, authorId: post.userId });
      if (!sent.ok) return refuseForm(context, submission, SEND_FAILED, sent);
      return redirectWithToast(context, wayBack(postId, new URL(request.url)).dialog, {
        kind: "success",
        title: "Message sent!",
        description: "Check the Messages tab to continue the conversation.",
      });
    },
    FAILED,
  );
}

/** Offline the dialog stays open, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, "Error", FAILED);

export default function ContactDialog() {
  const { closeTo, name, values } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return (
    <RouteDialog title="Contact" player={name} closeTo={closeTo}>
      <ContactForm values={values} reply={reply} closeTo={closeTo} />
    </RouteDialog>
  );
}
