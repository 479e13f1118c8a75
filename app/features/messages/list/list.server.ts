import type { RequestContext } from "~/platform/context";
import type { PageLinks } from "~/platform/lists/keyset";
import { pageLinks } from "~/platform/lists/keyset.server";
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
  pages: PageLinks;
  /** The text of an empty page; null if it has conversations. Chosen here, to keep the texts out of the script. */
  empty: { title: string; to: string; link: string } | null;
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
  const addressOf = (place: typeof cursor) => LIST + writeSearch(CONVERSATION_LIST, { q: search, cursor: place });
  const pages = pageLinks(request, { cursor, page, addressOf });
  return {
    conversations: page.items.map((conversation) => presentConversation(conversation, clock)),
    search,
    query,
    pages,
    empty: page.items.length > 0 ? null : sayEmpty(search, cursor !== null, pages),
  };
}

/** Returns the text of an empty page. A later page is empty once its last conversation has moved to the top. */
function sayEmpty(search: string, isLater: boolean, { cutShort }: PageLinks): NonNullable<ConversationPage["empty"]> {
  const toAll = { to: LIST, link: "Show all" };
  if (isLater) return { title: search ? "Nobody else with that name so far." : "No older conversations.", ...toAll };
  if (search) return { title: `Nobody with that name ${cutShort ? "among your latest chats" : "here"}.`, ...toAll };
  return { title: "No conversations yet.", to: "/dashboard", link: "Browse posts" };
}
