import { type FetcherWithComponents, useFetcher } from "@remix-run/react";
import type { ShownMoment } from "~/platform/dates/time";
import type { ToastReply } from "~/platform/forms/forms";
import { useReplyToast } from "~/ui/toasts/use-toasts";

/**
 * Returns the form that bumps a post, and the id of the post whose bump is still waiting for a response; null if there
 * is none. The page shows that post as bumped until the response arrives; a refusal shows its reason in a toast.
 */
export function useBumpForm(): { bumped: string | null; Form: FetcherWithComponents<ToastReply>["Form"] } {
  const { formData, formAction, data, Form } = useFetcher<ToastReply>({ key: "post-change" });
  useReplyToast(data);
  const postId = /^\/lfg\/([^/]+)$/.exec(formAction ?? "")?.[1];
  return { bumped: (formData?.get("intent") === "bump" && postId) || null, Form };
}

interface Changeable {
  id: string;
  /** Missing from other players' cards until the first navigation. */
  listed?: ShownMoment;
}

/**
 * Returns the posts as they will be after the bump: listed just now. The button appears only once the server's clock
 * allows a bump, so the browser's clock, which may be wrong, isn't consulted again.
 * @param bumped the id of one of the viewer's posts; null changes none
 * @param now milliseconds since 1970
 */
export function withBump<Post extends Changeable>(
  posts: readonly Post[],
  bumped: string | null,
  now = Date.now(),
): Post[] {
  return posts.map((post) => {
    const { id, listed } = post;
    if (id !== bumped || !listed) return post;
    return { ...post, listed: { ...listed, iso: new Date(now).toISOString(), ago: "less than a minute ago" } };
  });
}

/**
 * Returns the list as it will be after the bump: on its first page, the bumped post comes first. A post from a later
 * page has no card here yet, and appears with the response.
 */
export function listWithBump<Post extends Changeable>(
  posts: readonly Post[],
  bumped: string | null,
  { isFirstPage, now = Date.now() }: { isFirstPage: boolean; now?: number },
): Post[] {
  const changed = withBump(posts, bumped, now);
  const moved = changed.filter((post) => !posts.includes(post));
  return isFirstPage ? [...moved, ...changed.filter((post) => !moved.includes(post))] : changed;
}
