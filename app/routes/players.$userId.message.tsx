import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { findOtherPlayer } from "~/features/blocks/queries.server";
import { CANT_WRITE } from "~/features/blocks/rules";
import {
  CONTACT_LIMITS,
  CONTACT_SIGNED_OUT,
  CONTACTED,
  SEND_FAILED,
  sendToPlayer,
  UNWANTED,
} from "~/features/messages/actions.server";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { messageSchema } from "~/features/messages/schema";
import { findWhetherTakesMessages } from "~/features/messages/shared/contact-policy.server";
import { findPublicProfile } from "~/features/players/queries.server";
import { displayName } from "~/features/players/rules";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

/** The error for an unexpected failure (specification, section 8). */
const FAILED = "Failed to start conversation. Please try again.";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Message ${data.name}` : "Message");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const playerId = idParam(params, "userId", context, request);
  const { db, claim } = context;
  const [viewer, profile, other, takesMessages] = await Promise.all([
    context.viewer(),
    findPublicProfile(db, playerId),
    claim ? findOtherPlayer(db, playerId, claim.userId) : undefined,
    claim && findWhetherTakesMessages(db, playerId, claim.userId),
  ]);
  if (!profile) notFound(context, request);
  // After a form posted without JavaScript, the error page keeps the text that was typed, so this must not redirect.
  if (!viewer && context.submitted) throw new Response("Not authenticated", { status: 401 });
  if (!viewer) {
    throw redirectWithToast(context, `/auth?${new URLSearchParams({ redirectTo: `/players/${playerId}/message` })}`, {
      kind: "error",
      title: "Authentication required",
      description: "Please sign in to contact other players.",
    });
  }
  const refusal =
    (viewer.id === playerId && "You can't message yourself.") ||
    ((other?.hasBlocked || other?.isBlocked) && CANT_WRITE) ||
    (!takesMessages && UNWANTED);
  if (refusal && !context.submitted) {
    throw redirectWithToast(context, `/players/${playerId}`, { kind: "error", title: "Error", description: refusal });
  }
  return { playerId, name: displayName(profile), id: uuidv7(context.now.getTime()) };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const playerId = idParam(params, "userId", context, request);
  return answerForm(args, {
    schema: messageSchema,
    failed: SEND_FAILED,
    unexplained: FAILED,
    limit: CONTACT_LIMITS,
    signedOut: CONTACT_SIGNED_OUT,
    async run({ value, viewer }) {
      if (viewer.id === playerId) return { status: 409, error: "You can't message yourself." };
      const refusal = await sendToPlayer(context, value, viewer.id, playerId);
      return refusal ?? { to: `/players/${playerId}`, ...CONTACTED };
    },
  });
}

export const clientAction = offlineAction("Error", FAILED);

export default function MessageDialog() {
  const { playerId, name, id } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const close = `/players/${playerId}`;
  return (
    <RouteDialog title="Message" player={name} closeTo={close}>
      <ContactForm values={{ id, message: "" }} reply={reply} closeTo={close} />
    </RouteDialog>
  );
}
