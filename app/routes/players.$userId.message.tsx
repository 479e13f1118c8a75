import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { messageSchema } from "~/features/messages/schema";
import { CONTACT_SIGNED_OUT, countMessage, SEND_FAILED, sendToPlayer } from "~/features/messages/send.server";
import { findPublicProfile } from "~/features/players/queries.server";
import { displayName } from "~/features/players/rules";
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

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Message ${data.name}` : "Message");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const playerId = idParam(params, "userId", context, request);
  const { db, claim } = context;
  const [viewer, profile] = await Promise.all([context.viewer(), findPublicProfile(db, playerId, claim?.userId)]);
  if (!profile) notFound(context, request);
  // Under the answer to a form nothing leads away: what was typed is on this page.
  if (!viewer && context.submitted) throw new Response("Not authenticated", { status: 401 });
  if (!viewer) {
    throw redirectWithToast(context, `/auth?${new URLSearchParams({ redirectTo: `/players/${playerId}/message` })}`, {
      kind: "error",
      title: "Authentication required",
      description: "Please sign in to contact other players.",
    });
  }
  if (viewer.id === playerId && !context.submitted) {
    const description = "This is you: there is nobody to write to.";
    throw redirectWithToast(context, `/players/${playerId}`, { kind: "error", title: "Error", description });
  }
  return { playerId, name: displayName(profile), id: uuidv7(context.now.getTime()) };
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  const playerId = idParam(params, "userId", context, request);
  const submission = parseWithZod(await request.formData(), { schema: messageSchema });
  return orDatabaseAway(
    context,
    submission,
    SEND_FAILED,
    async () => {
      const userId = context.claim?.userId;
      const isReady = userId && submission.status === "success";
      const [viewer, ...limits] = await Promise.all([
        context.viewer(),
        ...(isReady ? [countMessage(context, userId), countUse(context, "contact", userId)] : []),
      ]);
      if (!viewer) return refuseForm(context, submission, "Authentication required", CONTACT_SIGNED_OUT);
      if (submission.status !== "success") return refuseForm(context, submission, SEND_FAILED);
      for (const limit of limits) {
        if (!limit.allowed) return refuseForm(context, submission, SEND_FAILED, tooManyTries(limit.retryAfter));
      }
      if (viewer.id === playerId) {
        const error = "This is you: there is nobody to write to.";
        return refuseForm(context, submission, SEND_FAILED, { status: 409, error });
      }
      const sent = await sendToPlayer(context, submission.value, viewer.id, playerId);
      if (!sent.ok) return refuseForm(context, submission, SEND_FAILED, sent);
      return redirectWithToast(context, `/players/${playerId}`, {
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

export default function MessageDialog() {
  const { playerId, name, id } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const close = `/players/${playerId}`;
  return (
    <RouteDialog title="Message" player={name} closeTo={close}>
      <ContactForm values={{ id, message: "" }} reply={reply} closeTo={close} />
    </RouteDialog>
  );
}
