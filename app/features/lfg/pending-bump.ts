import { type FetcherWithComponents, useFetcher } from "@remix-run/react";
import type { ToastReply } from "~/platform/forms/forms";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import type { PostView } from "./present.server";
import { BUMP_INTERVAL } from "./rules";

/**
 * Returns the form that bumps a post, and the id of the post whose bump the server hasn't answered yet; null if there
 * is none. The page shows that post as bumped until the answer arrives; a refusal shows its reason in a toast.
 */
export function useBumpForm(): { bumped: string | null; Form: FetcherWithComponents<ToastReply>["Form"] } {
  const { formData, formAction, data, Form } = useFetcher<ToastReply>({ key: "post-change" });
  useReplyToast(data);
  const postId = /^\/lfg\/([^/]+)$/.exec(formAction ?? "")?.[1];
  return { bumped: (formData?.get("intent") === "bump" && postId) || null, Form };
}

type Changeable = Pick<PostView, "id" | "listed">;

/**
 * Returns the posts as they will be after the bump: listed just now. Changes nothing if the server is going to refuse
 * the bump.
 * @param bumped the id of a post; null changes none
 * @param now milliseconds since 1970
 */
export function withBump<Post extends Changeable>(
  posts: readonly Post[],
  bumped: string | null,
  now = Date.now(),
): Post[] {
  return posts.map((post) => {
    if (post.id !== bumped || now - Date.parse(post.listed.iso) < BUMP_INTERVAL) return post;
    const iso = new Date(now).toISOString();
    return { ...post, listed: { ...post.listed, iso, ago: "less than a minute ago" } };
  });
}

/** Returns the list as it will be after the bump: on its first page, the bumped post comes first. */
export function listWithBump<Post extends Changeable>(
  posts: readonly Post[],
  bumped: string | null,
  { isFirstPage, now = Date.now() }: { isFirstPage: boolean; now?: number },
): Post[] {
  const changed = withBump(posts, bumped, now);
  return isFirstPage ? changed.sort((a, b) => Date.parse(b.listed.iso) - Date.parse(a.listed.iso)) : changed;
}
