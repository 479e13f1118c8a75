import { uuidv7 } from "#db/ids";
import type { RequestContext } from "~/platform/context";
import { presentHead } from "./present.server";
import { type ConversationRef, findConversation, listMessages } from "./queries.server";
import { markReadLater } from "./send.server";
import type { ThreadPage } from "./use-live-thread";

/**
 * Reads a conversation of the viewer's for a page that shows it, and takes it for read after the response. One round trip.
 * @param before show what came before this message
 * @returns null when it is none of the viewer's
 */
export async function loadThread(
  context: RequestContext,
  conversation: ConversationRef,
  viewerId: string,
  before: number | null,
): Promise<ThreadPage | null> {
  const { db, now, timeZone } = context;
  const [head, page] = await Promise.all([
    findConversation(db, conversation, viewerId, now),
    listMessages(db, conversation, viewerId, before),
  ]);
  if (!head) return null;
  const isOlderPage = before !== null && before <= head.lastSeq;
  if (!isOlderPage && head.lastReadSeq < head.lastSeq) markReadLater(context, head.id, viewerId, head.lastSeq);
  return {
    head: presentHead(head, context),
    viewerId,
    messages: page.messages,
    hasOlder: page.hasOlder,
    isOlderPage,
    nextId: uuidv7(now.getTime()),
    timeZone,
    now: now.getTime(),
  };
}
