import { uuidv7 } from "#db/ids";
import { tellInboxes } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { styleOf } from "~/platform/dates/dates";
import { zoneWords } from "~/platform/dates/time-zone";
import { markRead } from "../commands.server";
import { presentHead } from "../present.server";
import { findConversation, listMessages, type ThreadPlace } from "../queries.server";
import type { ConversationRef } from "../shared/membership.server";
import { tellConversation } from "../shared/tell-conversation.server";
import type { ThreadPage } from "../shared/use-live-thread";

/**
 * Loads a conversation for a page that shows it, in one round trip that may run together with the session check. The
 * caller calls `markShownAsRead` once that check has passed.
 * @returns null if the viewer isn't a member
 */
export async function loadThread(
  context: RequestContext,
  conversation: ConversationRef,
  viewerId: string,
  place: ThreadPlace,
): Promise<ThreadPage | null> {
  const { db, now } = context;
  const [head, page, clock] = await Promise.all([
    findConversation(db, conversation, viewerId, now),
    listMessages(context, conversation, viewerId, place),
    context.clock(),
  ]);
  if (!head) return null;
  const { before } = place;
  const isOlderPage = before !== null && before <= head.lastSeq;
  return {
    head: presentHead(head, clock),
    viewerId,
    messages: page.messages,
    hasOlder: page.hasOlder,
    isOlderPage,
    nextId: uuidv7(now.getTime()),
    dates: styleOf(clock),
    zoneNote: clock.isZoneDoubtful ? zoneWords(clock.timeZone) : null,
    now: now.getTime(),
  };
}

/** Marks a conversation as read after the response, if the page shows its end; a page of older messages doesn't. */
export function markShownAsRead(context: RequestContext, { head, viewerId, isOlderPage }: ThreadPage): void {
  if (!isOlderPage && head.lastReadSeq < head.lastSeq) markReadLater(context, head.id, viewerId, head.lastSeq);
}

/**
 * Marks a conversation as read, after the response. Reading a conversation writes nothing else. A prefetch doesn't mark
 * it as read, and the browser doesn't keep its response, so that the click loads the page again.
 */
export function markReadLater(context: RequestContext, conversationId: string, userId: string, seq: number): void {
  if (context.isPrefetch) {
    context.isReusable = false;
    return;
  }
  context.defer(async () => {
    const readSeq = await markRead(context.db, conversationId, userId, seq, context.now.getTime());
    if (readSeq === undefined) return;
    tellConversation(context, conversationId, { type: "read", userId, seq: readSeq });
    tellInboxes(context, [{ userId }]);
  });
}
