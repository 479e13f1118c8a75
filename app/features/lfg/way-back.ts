import { ownPath } from "~/platform/request/origin";

const LIST = "/dashboard";

/*
 * Pages know the list that they were opened from by their address: a post's page by `from`, a dialog that was opened from the
 * list by `back`. A dialog that was opened from the post's page has that page's `from` and closes to it. Addresses that are
 * shared (canonical, Open Graph, e-mails) hold neither.
 */

/** Reads the list that an address leads back to: path and query. Null when it names none, or no list of posts. */
function listIn({ searchParams }: URL, name: "from" | "back"): string | null {
  const path = ownPath(searchParams.get(name));
  return path && path.split("?", 1)[0] === LIST ? path : null;
}

const atPost = (list: string, postId: string) => `${list}#post-${postId}`;

/** The page of a post that was opened from `list`. Without `from` it leads to the unfiltered list, so that needs none. */
export const postPage = (postId: string, list: string | null): string =>
  list === null || list === LIST ? `/lfg/${postId}` : `/lfg/${postId}?${new URLSearchParams({ from: list })}`;

/** What an address of a dialog ends with to close to `list`. */
export const backTo = (list: string): string => `?${new URLSearchParams({ back: list })}`;

/** Where the page or the dialog of a post leads back to: the places are named by what asks for them. */
interface WayBack {
  /** The list, at the post's card. */
  list: string;
  /** The post's own page. */
  page: string;
  /** Where a dialog of the post closes to. */
  dialog: string;
  /** What the addresses of dialogs end with that are opened from the post's page. */
  query: string;
}

/** Finds the ways back from a post's page or one of its dialogs. @param url the request's address */
export function wayBack(postId: string, url: URL): WayBack {
  const back = listIn(url, "back");
  const list = back ?? listIn(url, "from");
  const page = postPage(postId, list);
  return {
    list: atPost(list ?? LIST, postId),
    page,
    dialog: back === null ? page : atPost(back, postId),
    query: page.slice(`/lfg/${postId}`.length),
  };
}
