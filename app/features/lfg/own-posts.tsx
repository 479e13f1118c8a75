import { Link } from "@remix-run/react";
import { Five } from "./five";
import { PostActions } from "./post-actions";
import type { PostView } from "./present.server";
import { backTo, postPage } from "./way-back";

/** "2 players want to join." */
const wantToJoin = (count: number) => (count === 1 ? "1 player wants to join." : `${count} players want to join.`);

/** The viewer's own open posts, beside the list: their state and actions. */
export function OwnPosts({
  posts,
  letter,
  picture,
  list,
}: {
  posts: (Omit<PostView, "author"> & { requests: number })[];
  letter: string;
  picture: string | null;
  /** The address of the list beside them, to which every action leads back. */
  list: string;
}) {
  return (
    <section aria-labelledby="own-posts">
      <h2 id="own-posts" className="font-display text-rail">
        {posts.length === 1 ? "Your post" : "Your posts"}
      </h2>
      <ul className="mt-3.5 grid gap-7">
        {posts.map((post) => (
          <li key={post.id} className="grid">
            <Five
              letter={letter}
              picture={picture}
              taken={post.takenSpots}
              needed={post.openSpots}
              fits={false}
              role={post.requiredRole}
            />
            <p className="mt-3 font-semibold wrap-anywhere">
              <Link
                to={postPage(post.id, list)}
                prefetch="intent"
                viewTransition
                className="rounded-badge hover:underline hover:underline-offset-3"
              >
                {post.title}
              </Link>
            </p>
            <p className="mt-1 mb-3.5 text-meta text-muted">
              {post.requests > 0 && <strong className="text-spot-text">{wantToJoin(post.requests)} </strong>}
              Closes {post.closes}.
            </p>
            <PostActions post={post} returnTo={list} query={backTo(list)} size="row" />
          </li>
        ))}
      </ul>
    </section>
  );
}
