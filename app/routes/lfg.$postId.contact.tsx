import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { CANT_WRITE } from "~/features/blocks/rules";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { wayBack } from "~/features/lfg/way-back";
import { answerContact, SIGN_IN_TO_CONTACT, sendToAuthor, UNWANTED } from "~/features/messages/actions.server";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { greeting } from "~/features/messages/rules";
import { findWhetherAuthorTakesMessages } from "~/features/messages/shared/contact-policy.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { refuseVisit } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireViewer } from "~/platform/session/guards.server";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Contact ${data.name}` : "Contact");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = idParam(params, "postId", context, request);
  const way = wayBack(postId, new URL(request.url));
  const { db, claim } = context;
  const [post, takesMessages] = await Promise.all([
    findPost(db, postId, claim?.userId),
    claim && findWhetherAuthorTakesMessages(db, postId, claim.userId),
    // Sends the session check in the same round trip.
    context.viewer(),
  ]);
  if (!post) notFound(context, request);
  const viewer = await requireViewer(context, request, SIGN_IN_TO_CONTACT);
  const { author, isOpen, title } = presentPost(post, await context.clock());
  const refusal =
    (post.userId === viewer.id && "This is your own post.") ||
    ((post.hasBlocked || post.isBlocked) && CANT_WRITE) ||
    (!takesMessages && UNWANTED) ||
    (!isOpen && "This post is closed, so you can't contact its author.");
  if (refusal) refuseVisit(context, way.page, refusal);
  return {
    closeTo: way.dialog,
    name: author.name,
    values: { id: uuidv7(context.now.getTime()), message: greeting(title) },
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const postId = idParam(params, "postId", context, request);
  const way = wayBack(postId, new URL(request.url));
  return answerContact(args, {
    to: (post) => (post ? way.dialog : way.list),
    alongside: () => findPost(context.db, postId),
    async send({ value, viewer, found: post }) {
      if (post?.userId === viewer.id) {
        return { status: 409, error: "This is your own post, so there's nobody to message." };
      }
      return sendToAuthor(context, value, viewer.id, { postId, authorId: post?.userId });
    },
  });
}

export { clientAction } from "~/features/messages/contact/client-action";

export default function ContactDialog() {
  const { closeTo, name, values } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Contact" player={name} closeTo={closeTo}>
      <ContactForm values={values} reply={reply} closeTo={closeTo} />
    </RouteDialog>
  );
}
