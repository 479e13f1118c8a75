import { type FetcherWithComponents, useFetcher } from "@remix-run/react";
import type { ToastReply } from "~/platform/forms";
import { useReplyToast } from "~/ui/use-toasts";
import type { PostView } from "./present.server";
import { BUMP_INTERVAL } from "./rules";

/** What the author has just asked for a post, while the server has not answered. */
export interface PendingChange {
  postId: string;
  intent: "bump" | "close";
}

/**
 * The change under way, or null. The page shows it as done; the answer then tells the truth, and a refusal its reason in
 * a toast. Pages call this besides `PostActions`, which is gone with the post that was just closed.
 */
export function usePendingChange(): { change: PendingChange | null; Form: FetcherWithComponents<ToastReply>["Form"] } {
  const { formData, formAction, data, Form } = useFetcher<ToastReply>({ key: "post-change" });
  useReplyToast(data);
  const postId = /^\/lfg\/([^/]+)$/.exec(formAction ?? "")?.[1];
  const intent = formData?.get("intent");
  return { change: postId && (intent === "bump" || intent === "close") ? { postId, intent } : null, Form };
}

type Changeable = Pick<PostView, "id" | "isOpen" | "listed">;

/**
 * Posts as they will be once the change is made: a closed one is closed, a bumped one was listed this moment. A bump
 * that the server is going to refuse changes nothing.
 * @param now milliseconds since 1970
 */
export function withPendingChange<Post extends Changeable>(
  posts: readonly Post[],
  change: PendingChange | null,
  now = Date.now(),
): Post[] {
  return posts.map((post) => {
    if (post.id !== change?.postId) return post;
    if (change.intent === "close") return { ...post, isOpen: false };
    if (now - Date.parse(post.listed.iso) < BUMP_INTERVAL) return post;
    const iso = new Date(now).toISOString();
    return { ...post, listed: { ...post.listed, iso, ago: "less than a minute ago" } };
  });
}

/** The list as it will be: without what was closed and, on its first page, what was bumped on top. */
export function listWithPendingChange<Post extends Changeable>(
  posts: readonly Post[],
  change: PendingChange | null,
  { isFirstPage, now = Date.now() }: { isFirstPage: boolean; now?: number },
): Post[] {
  const changed = withPendingChange(posts, change, now).filter((post) => post.isOpen);
  return isFirstPage ? changed.sort((a, b) => Date.parse(b.listed.iso) - Date.parse(a.listed.iso)) : changed;
}
