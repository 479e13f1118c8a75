import type { RequestContext } from "~/platform/context";
import { linksOf, type PageLinks, parseCursor } from "~/platform/lists/keyset";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { type ConversationView, presentConversation } from "../present.server";
import { listConversations } from "../queries.server";
import { conversationSearch, parseConversationSearch } from "./cursor";

const LIST = "/dashboard/messages";

/** A page of the conversation list, as an address asks for it. */
export interface ConversationPage {
  conversations: ConversationView[];
  search: string;
  isFirstPage: boolean;
  pages: PageLinks;
}

/** Reads the page of a player's conversations that an address asks for: `q`, a name, and where it stands. One round trip. */
export async function findConversationPage(
  context: RequestContext,
  userId: string,
  request: Request,
): Promise<ConversationPage> {
  const params = new URL(request.url).searchParams;
  const search = parseConversationSearch(params);
  const cursor = parseCursor(params);
  const [page, clock] = await Promise.all([
    listConversations(context.db, userId, { search, cursor, now: context.now.getTime() }),
    context.clock(),
  ]);
  redirectToFirstPage(request, { cursor, page, list: LIST, first: LIST + conversationSearch(search, null) });
  return {
    conversations: page.items.map((conversation) => presentConversation(conversation, clock)),
    search,
    isFirstPage: cursor === null,
    pages: linksOf(page, (place) => LIST + conversationSearch(search, place)),
  };
}
