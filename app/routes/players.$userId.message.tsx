import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { findOtherPlayer } from "~/features/blocks/queries.server";
import { CANT_WRITE } from "~/features/blocks/rules";
import { answerContact, SIGN_IN_TO_CONTACT, sendToPlayer, UNWANTED } from "~/features/messages/actions.server";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { findWhetherTakesMessages } from "~/features/messages/shared/contact-policy.server";
import { findPublicProfile } from "~/features/players/queries.server";
import { displayName } from "~/features/players/rules";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { refuseVisit } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Message ${data.name}` : "Message");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const playerId = idParam(params, "userId", context, request);
  const { db, claim } = context;
  const [profile, other, takesMessages] = await Promise.all([
    findPublicProfile(db, playerId),
    claim ? findOtherPlayer(db, playerId, claim.userId) : undefined,
    claim && findWhetherTakesMessages(db, playerId, claim.userId),
    // Sends the session check in the same round trip.
    context.viewer(),
  ]);
  if (!profile) notFound(context, request);
  const viewer = await requireViewer(context, request, SIGN_IN_TO_CONTACT);
  const refusal =
    (viewer.id === playerId && "You can't message yourself.") ||
    ((other?.hasBlocked || other?.isBlocked) && CANT_WRITE) ||
    (!takesMessages && UNWANTED);
  if (refusal) refuseVisit(context, `/players/${playerId}`, refusal);
  return { playerId, name: displayName(profile), id: uuidv7(context.now.getTime()) };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const playerId = idParam(params, "userId", context, request);
  return answerContact(args, {
    to: () => `/players/${playerId}`,
    async send({ value, viewer }) {
      if (viewer.id === playerId) return { status: 409, error: "You can't message yourself." };
      return sendToPlayer(context, value, viewer.id, playerId);
    },
  });
}

export { clientAction } from "~/features/messages/contact/client-action";

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
