import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import { CANT_WRITE } from "~/features/blocks/rules";
import { presentPost } from "~/features/lfg/present.server";
import { findPost } from "~/features/lfg/queries.server";
import { wayBack } from "~/features/lfg/way-back";
import {
  CONTACT_LIMITS,
  CONTACT_SIGNED_OUT,
  CONTACTED,
  POST_CLOSED,
  SEND_FAILED,
  sendToAuthor,
  UNWANTED,
} from "~/features/messages/actions.server";
import { ContactForm } from "~/features/messages/contact/contact-form";
import { greeting } from "~/features/messages/rules";
import { messageSchema } from "~/features/messages/schema";
import { findWhetherAuthorTakesMessages } from "~/features/messages/shared/contact-policy.server";
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

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data ? `Contact ${data.name}` : "Contact");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = idParam(params, "postId", context, request);
  const url = new URL(request.url);
  const way = wayBack(postId, url);
  const { db, claim } = context;
  const [viewer, post, takesMessages] = await Promise.all([
    context.viewer(),
    findPost(db, postId, claim?.userId),
    claim && findWhetherAuthorTakesMessages(db, postId, claim.userId),
  ]);
  if (!post) notFound(context, request);
  // After a form posted without JavaScript, the error page keeps the text that was typed, so this must not redirect.
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
    ((post.hasBlocked || post.isBlocked) && CANT_WRITE) ||
    (!takesMessages && UNWANTED) ||
    (!isOpen && "This post is closed, so you can't contact its author.");
  if (refusal && !context.submitted) {
    throw redirectWithToast(context, way.page, { kind: "error", title: "Error", description: refusal });
  }
  return {
    closeTo: way.dialog,
    name: author.name,
    values: { id: uuidv7(context.now.getTime()), message: greeting(title) },
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const postId = idParam(params, "postId", context, request);
  return answerForm(args, {
    schema: messageSchema,
    failed: SEND_FAILED,
    unexplained: FAILED,
    limit: CONTACT_LIMITS,
    signedOut: CONTACT_SIGNED_OUT,
    alongside: async () => (await findPost(context.db, postId)) ?? null,
    // The post was deleted in the meantime. With script, the open page keeps the typed text; without script there is no
    // page to show it on.
    missing: POST_CLOSED,
    async run({ value, viewer, found: post }) {
      if (post.userId === viewer.id) {
        return { status: 409, error: "This is your own post, so there's nobody to message." };
      }
      const refusal = await sendToAuthor(context, value, viewer.id, { postId, authorId: post.userId });
      return refusal ?? { to: wayBack(postId, new URL(request.url)).dialog, ...CONTACTED };
    },
  });
}

export const clientAction = offlineAction("Error", FAILED);

export default function ContactDialog() {
  const { closeTo, name, values } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Contact" player={name} closeTo={closeTo}>
      <ContactForm values={values} reply={reply} closeTo={closeTo} />
    </RouteDialog>
  );
}
