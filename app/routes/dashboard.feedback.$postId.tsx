import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { handleFeedbackForm } from "~/features/feedback/actions.server";
import { FeedbackForm } from "~/features/feedback/feedback-form";
import { presentSession } from "~/features/feedback/present.server";
import { findSession } from "~/features/feedback/queries.server";
import { SessionPlayers } from "~/features/feedback/session-players";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import feedbackStyles from "~/styles/feedback.css";
import { ButtonLink } from "~/ui/button";
import { useReply } from "~/ui/forms/use-reply";
import { Notice } from "~/ui/notice";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: feedbackStyles }];

export const meta: MetaFunction = () => privatePage("Feedback");

/** Reads from the address which player's form is open, or was sent. */
const playerIn = (query: URLSearchParams) => query.get("player")?.toLowerCase() ?? null;

const playerOf = (request: Request) => playerIn(new URL(request.url).searchParams);

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const postId = idParam(params, "postId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, news, session, clock] = await Promise.all([
    requireViewer(context, request),
    findUnreadNews(context.db, userId, subjectOf("team", postId)),
    findSession(context.db, postId, userId),
    context.clock(),
  ]);
  if (!session) notFound(context, request);
  resolveNewsLater(context, userId, news);
  return { page: `/dashboard/feedback/${postId}`, ...presentSession(session, playerOf(request), clock) };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const page = `/dashboard/feedback/${idParam(params, "postId", context, request)}`;
  const playerId = playerOf(request);
  if (!playerId || !isUuid(playerId)) notFound(context, request);
  return handleFeedbackForm(args, playerId, { here: `${page}?player=${playerId}`, done: page });
}

export { clientAction } from "~/platform/forms/forms";

export default function SessionFeedback() {
  const { page, title, players, open, isDone } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const [query] = useSearchParams();
  // Without JavaScript, the page reloads after a refusal. If the feedback was revealed in the meantime, the page opens
  // the next player's form, which must not show the values of the refused one.
  const isReplyToOpen = open?.playerId === playerIn(query);
  return (
    <DashboardPage title="Feedback">
      <p className="max-w-[600px] wrap-anywhere">
        How was playing with <bdi>“{title}”</bdi>?
      </p>
      {isDone && (
        <Notice variant="good" title="That's everyone. Thank you!" className="mt-6 max-w-[600px]">
          <p>Your feedback makes good teammates easier to find.</p>
          <ButtonLink to="/dashboard" size="row" className="mt-3">
            Find the Next Team
          </ButtonLink>
        </Notice>
      )}
      <SessionPlayers
        page={page}
        players={players}
        openPlayer={open?.playerId ?? null}
        form={
          open && (
            <FeedbackForm
              key={open.playerId}
              action={`${page}?player=${open.playerId}`}
              reply={isReplyToOpen ? reply : undefined}
              player={open.name}
              values={open.values}
              isChange={open.isChange}
            />
          )
        }
      />
    </DashboardPage>
  );
}
