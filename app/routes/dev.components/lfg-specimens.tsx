import { PostCard } from "~/features/lfg/post-card";
import { SAMPLE_POSTS } from "./sample-posts";
import { Shown, Specimens } from "./specimen";

/** How the viewer stands with the posts, in turn. */
const STANDINGS = [
  null,
  { words: "Requested", canWithdraw: true, chat: null },
  { words: "You're in", canWithdraw: false, chat: "/dashboard/messages" },
];

export function LfgCards() {
  return (
    <Specimens
      name="LFG card"
      note="the usual (hovered), the shortest (in focus, requested), the longest (in the team)"
    >
      <div className="max-w-[856px]">
        <Shown state="hover" target="article:nth-of-type(1) a">
          <Shown state="focus-visible" target="article:nth-of-type(2) a">
            {SAMPLE_POSTS.map((post, at) => (
              <PostCard
                key={post.id}
                post={{ ...post, isOwn: false, standing: STANDINGS[at % STANDINGS.length] ?? null, you: null }}
                list="/dashboard"
              />
            ))}
          </Shown>
        </Shown>
      </div>
    </Specimens>
  );
}
