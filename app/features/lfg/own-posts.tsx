import { type BriefRequest, BriefRequests } from "~/features/teams/shared/own-part";
import { Link } from "~/ui/link";
import { type Banner, Five } from "./five";
import { PostActions } from "./post-actions";
import type { PostView } from "./present.server";
import { backTo, postPage } from "./way-back";

/** "2 players want to join." */
const wantToJoin = (count: number) => (count === 1 ? "1 player wants to join." : `${count} players want to join.`);

type OwnPostView = Pick<
  PostView,
  "id" | "title" | "openSpots" | "takenSpots" | "requiredRole" | "listed" | "closes" | "bumpIn"
> & {
  /** The number of players who are waiting for an answer. */
  asking: number;
  /** The first of their requests. */
  requests: BriefRequest[];
};

/**
 * The viewer's own open posts, beside the list: their state and actions. Those with a team have their banners in
 * `OwnTeams`.
 */
export function OwnPosts({
  posts,
  you,
  list,
}: {
  posts: OwnPostView[];
  /** The viewer's banner. */
  you: Banner;
  /** The address of the list beside them, to which every action leads back. */
  list: string;
}) {
  return (
    <section aria-labelledby="own-posts">
      <h2 id="own-posts" className="scroll-mt-16 font-display text-rail">
        {posts.length === 1 ? "Your post" : "Your posts"}
      </h2>
      <ul className="mt-3.5 grid gap-7">
        {posts.map((post) => (
          <li key={post.id} className="grid">
            {post.takenSpots === 0 && (
              <Five members={[you]} needed={post.openSpots} fits={false} role={post.requiredRole} />
            )}
            <Link
              id={`own-${post.id}`}
              to={postPage(post.id, list)}
              prefetch="intent"
              viewTransition
              dir="auto"
              className="own-title"
            >
              {post.title}
            </Link>
            <p className="mt-1 mb-3.5 text-meta text-muted">
              {post.asking > 0 && (
                <Link to={`${postPage(post.id, list)}#requests`} className="link">
                  {wantToJoin(post.asking)}
                </Link>
              )}{" "}
              Closes {post.closes}.
            </p>
            <BriefRequests postId={post.id} requests={post.requests} returnTo={list} />
            <PostActions
              post={post}
              returnTo={list}
              query={backTo(list)}
              size="row"
              aria-describedby={`own-${post.id}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
