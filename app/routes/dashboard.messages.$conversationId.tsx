import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData, useParams, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { useMemo } from "react";
import { handleMessageForm } from "~/features/messages/actions.server";
import { parseThreadPlace } from "~/features/messages/list/cursor";
import { UnsentWords } from "~/features/messages/shared/unsent-words";
import { loadThread, markShownAsRead } from "~/features/messages/thread/load-thread.server";
import { Thread, ThreadBack } from "~/features/messages/thread/thread";
import { useClosedDraft } from "~/features/messages/thread/use-draft";
import { leave } from "~/features/teams/actions.server";
import { handleRoomForm, isRoomForm } from "~/features/teams/room/actions.server";
import * as onServer from "~/features/teams/room/chat-room.server";
import { teamOfConversation } from "~/features/teams/room/membership.server";
import { presentRoom } from "~/features/teams/room/present.server";
import { findRoom } from "~/features/teams/room/queries.server";
import { listChatEvents } from "~/features/tournaments/match/match-log.server";
import { presentChatEvents } from "~/features/tournaments/match/present-match.server";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import roomStyles from "~/styles/room.css";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { loadApart } from "~/ui/page/apart";
import { FrameError } from "~/ui/page/error-pages";
import "~/shell";

const CHATS = "/dashboard/messages";

/** The room of a team's chat, which conversations of two don't load. */
const ChatRoom = loadApart(
  "chat-room",
  (onServer as Partial<typeof onServer>).ChatRoom,
  async () => (await import("~/chat-room")).ChatRoom,
  <div className="room-strip" />,
);

export const links: LinksFunction = () => [{ rel: "stylesheet", href: roomStyles }];

export const meta: MetaFunction<typeof loader> = ({ data, error, matches }) =>
  error ? (matches[0]?.meta ?? []) : privatePage(data ? `${data.thread.head.name} · Chat` : "Chat");

export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "conversationId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [thread, room, events, clock] = await Promise.all([
    loadThread(context, id, userId, parseThreadPlace(request.url)),
    findRoom(context.db, teamOfConversation(id), userId, context.now),
    listChatEvents(context.db, id, userId),
    context.clock(),
    requireViewer(context, request),
  ]);
  if (!thread) notFound(context, request);
  markShownAsRead(context, thread);
  return {
    thread,
    room: room && presentRoom(room, userId, clock, context),
    ...(events.length > 0 && { events: presentChatEvents(events) }),
  };
}

/**
 * Handles the forms of a team's room, and `Leave Team`, which leads to the other chats. Sends messages without
 * JavaScript; with JavaScript, `conversations.$conversationId.messages` sends them.
 */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "conversationId", context, request);
  const form = await request.formData();
  const here = `${CHATS}/${id}`;
  if (isRoomForm(form)) return handleRoomForm(args, form, { team: teamOfConversation(id), here });
  if (form.get("intent") === "leave") {
    return answerButton(args, {
      limit: "team",
      to: CHATS,
      // A player who is no longer in the team can't open this page.
      refusedTo: CHATS,
      run: ({ viewer }) => leave(context, teamOfConversation(id), viewer.id),
    });
  }
  return handleMessageForm(args, form, { conversation: id, here });
}

export default function ConversationPage() {
  const { thread, room, events } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  // Only message forms have an `id` field.
  const isMessage = reply?.result.initialValue && "id" in reply.result.initialValue;
  const { head, viewerId } = thread;
  const shown = useMemo(
    () =>
      room && (
        <ChatRoom
          room={room}
          viewerId={viewerId}
          here={`/dashboard/messages/${head.id}`}
          isOpen={head.lastSeq === 0}
          reply={isMessage ? undefined : reply}
        />
      ),
    [room, viewerId, head, reply, isMessage],
  );
  return (
    <>
      <Thread
        key={viewerId + head.id}
        page={thread}
        room={shown}
        events={events}
        reply={isMessage ? reply : undefined}
      />
      <Outlet />
    </>
  );
}

export function ErrorBoundary() {
  const { conversationId = "" } = useParams();
  const dashboard = useRouteLoaderData("routes/dashboard") as { viewer: { id: string } } | undefined;
  const isOpen = useRouteLoaderData("routes/dashboard.messages.$conversationId") !== undefined;
  const { status } = useRouteError() as { status?: number };
  // The player may have been removed while typing. A dialog's error ends up here, too, but leaves the chat open.
  const isGone = status === 404 && !isOpen;
  const draft = useClosedDraft(dashboard?.viewer.id, conversationId, isGone);
  const reply = useReply<FormReply>();
  return (
    <section aria-label="Conversation" className="thread">
      <div className="thread-head md:hidden">
        <ThreadBack />
      </div>
      <div className="p-5">
        <FrameError />
        {isGone && (
          <div className="grid pt-5">
            <UnsentWords reply={reply} draft={draft} />
          </div>
        )}
      </div>
    </section>
  );
}
