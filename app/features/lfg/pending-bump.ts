import { type FetcherWithComponents, useFetcher } from "@remix-run/react";
import type { ToastReply } from "~/platform/forms/forms";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import type { PostView } from "./present.server";
import { BUMP_INTERVAL } from "./rules";

/**
 * The form that bumps a post, and the id of the post whose bump the server has not answered yet; null while there is
 * none. The page shows that post as bumped; the answer then tells the truth, and a refusal its reason in a toast.
 */
export function useBumpForm(): { bumped: string | null; Form: FetcherWithComponents<ToastReply>["Form"] } {
  const { formData, formAction, data, Form } = useFetcher<ToastReply>({ key: "post-change" });
  useReplyToast(data);
  const postId = /^\/lfg\/([^/]+)$/.exec(formAction ?? "")?.[1];
  return { bumped: (formData?.get("intent") === "bump" && postId) || null, Form };
}

type Changeable = Pick<PostView, "id" | "listed">;

/**
 * Posts as they will be once the bump is made: listed this moment. A bump that the server is going to refuse changes
 * nothing.
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

/** The list as it will be: on its first page, what was bumped comes first. */
export function listWithBump<Post extends Changeable>(
  posts: readonly Post[],
  bumped: string | null,
  { isFirstPage, now = Date.now() }: { isFirstPage: boolean; now?: number },
): Post[] {
  const changed = withBump(posts, bumped, now);
  return isFirstPage ? changed.sort((a, b) => Date.parse(b.listed.iso) - Date.parse(a.listed.iso)) : changed;
}
