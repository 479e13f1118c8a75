import { PostCard } from "~/features/lfg/post-card";
import { Button } from "~/ui/button";
import { SAMPLE_POSTS } from "./sample-posts";
import { Shown, Specimens } from "./specimen";

export function LfgCards() {
  return (
    <Specimens name="LFG card" note="a typical one (hovered), the shortest (focused), the longest">
      <div className="max-w-[856px]">
        <Shown state="hover" target="article:nth-of-type(1) a">
          <Shown state="focus-visible" target="article:nth-of-type(2) a">
            {SAMPLE_POSTS.map((post) => (
              <PostCard
                key={post.id}
                post={post}
                action={
                  <Button type="button" size="row">
                    Contact
                  </Button>
                }
              />
            ))}
          </Shown>
        </Shown>
      </div>
    </Specimens>
  );
}
