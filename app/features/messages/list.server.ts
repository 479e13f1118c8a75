import type { RequestContext } from "~/platform/context";
import { parseConversationCursor, parseConversationSearch } from "./cursor";
import { type ConversationView, presentConversation } from "./present.server";
import { type ConversationCursor, listConversations } from "./queries.server";

/** A page of the conversation list, as an address asks for it. */
export interface ConversationPage {
  conversations: ConversationView[];
  search: string;
  isFirstPage: boolean;
  next: ConversationCursor | null;
  /** There may be more further down: the search has read as much as one page may cost. */
  cutShort: boolean;
}

/** Reads the page of a player's conversations that an address asks for: `q`, a name, and `after`. One round trip. */
export async function findConversationPage(
  context: RequestContext,
  userId: string,
  params: URLSearchParams,
): Promise<ConversationPage> {
  const search = parseConversationSearch(params);
  const cursor = parseConversationCursor(params);
  const [page, clock] = await Promise.all([
    listConversations(context.db, userId, { search, cursor, now: context.now.getTime() }),
    context.clock(),
  ]);
  return {
    conversations: page.conversations.map((conversation) => presentConversation(conversation, clock)),
    search,
    isFirstPage: cursor === null,
    next: page.next,
    cutShort: page.cutShort,
  };
}
