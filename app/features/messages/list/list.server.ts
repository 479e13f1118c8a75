import type { RequestContext } from "~/platform/context";
import { linksOf, type PageLinks } from "~/platform/lists/keyset";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { readSearch, writeSearch } from "~/platform/search-params/search-params";
import { type ConversationView, presentConversation } from "../present.server";
import { CONVERSATION_LIST } from "./cursor";
import { listConversations } from "./queries.server";

const LIST = "/dashboard/messages";

/** A page of the conversation list, as an address asks for it. */
export interface ConversationPage {
  conversations: ConversationView[];
  search: string;
  /** The query string of the first page with the same search. */
  query: string;
  isFirstPage: boolean;
  /** What an empty list says; null if there are conversations. The component lacks it to keep it out of the script. */
  empty: string | null;
  pages: PageLinks;
}

/**
 * Reads the page of a player's conversations that an address asks for, by its search (`q`) and cursor. One round trip.
 */
export async function findConversationPage(
  context: RequestContext,
  userId: string,
  request: Request,
): Promise<ConversationPage> {
  const { q: search, cursor } = readSearch(CONVERSATION_LIST, new URL(request.url).searchParams);
  const query = writeSearch(CONVERSATION_LIST, { q: search });
  const [page, clock] = await Promise.all([
    listConversations(context.db, userId, { search, cursor, now: context.now.getTime() }),
    context.clock(),
  ]);
  redirectToFirstPage(request, { cursor, page, list: LIST, first: LIST + query });
  const pages = linksOf(page, (place) => LIST + writeSearch(CONVERSATION_LIST, { q: search, cursor: place }));
  const isFirstPage = cursor === null;
  const unfound = pages.cutShort ? "Nobody with that name among your latest chats." : "Nobody with that name here.";
  // A later page is empty once its last conversation has moved to the top.
  const nothing = isFirstPage ? "No conversations yet." : "No older conversations.";
  return {
    conversations: page.items.map((conversation) => presentConversation(conversation, clock)),
    search,
    query,
    isFirstPage,
    empty: page.items.length > 0 ? null : search ? unfound : nothing,
    pages,
  };
}
