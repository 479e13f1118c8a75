import { ownPath } from "~/platform/request/origin";

const LIST = "/dashboard";

/*
 * A page's own address says which list the page was opened from. A post's page has `from`, and a dialog opened from the
 * list has `back`. A dialog opened from a post's page has that page's `from`, and closes to that page. Shared addresses
 * (canonical, Open Graph, emails) have neither.
 */

/**
 * Reads the path and query of the list that an address leads back to. Returns null if the parameter is missing or
 * isn't the address of a list of posts.
 */
function listIn({ searchParams }: URL, name: "from" | "back"): string | null {
  const address = searchParams.get(name);
  if (address === "") return LIST;
  const path = ownPath(address);
  return path && path.split("?", 1)[0] === LIST ? path : null;
}

const atPost = (list: string, postId: string) => `${list}#post-${postId}`;

/** Returns the address of a post's page opened from `list`. The unfiltered list is the default and needs no `from`. */
export const postPage = (postId: string, list: string | null): string =>
  list === null || list === LIST ? `/lfg/${postId}` : `/lfg/${postId}?${new URLSearchParams({ from: list })}`;

/** Returns the query string that makes closing a dialog lead back to `list`. An empty `back` is the unfiltered list. */
export const backTo = (list: string): string => (list === LIST ? "?back" : `?${new URLSearchParams({ back: list })}`);

/** The addresses that a post's page and its dialogs lead back to. */
export interface WayBack {
  /** The list, scrolled to the post's card. */
  list: string;
  /** The post's own page. */
  page: string;
  /** The address that the post's dialogs close to. */
  dialog: string;
  /** The query string of dialogs that are opened from the post's page. */
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
