import { type ComponentType, useEffect, useState } from "react";
import type { PostState } from "#party/wire/post-frames";
import { whenIdle } from "~/ui/hooks/when-idle";
import type LivePosts from "./live-posts.client";

type Props = Parameters<typeof LivePosts>[0];

/**
 * Follows the posts of an open list. The script is loaded once the page is idle; until then, and without it, a link
 * loads the list again.
 * @returns the changed states of shown posts by id, and the element with the link to new posts
 */
export function useLiveList(props: Omit<Props, "onChange">) {
  const [Live, setLive] = useState<ComponentType<Props>>();
  const [changes, setChanges] = useState<{ room: string; states: Record<string, PostState> }>();
  const states = changes?.room === props.room ? changes.states : {};
  useEffect(() => {
    const load = () =>
      import("./live-posts.client").then(
        (module) => setLive(() => module.default),
        // The script can't be loaded offline, or after a new deployment: the list works without it.
        () => undefined,
      );
    whenIdle(load);
  }, []);
  const onChange: Props["onChange"] = (changed) =>
    setChanges((known) => ({
      room: props.room,
      states: {
        ...(known?.room === props.room && known.states),
        ...Object.fromEntries(changed.map((state) => [state.id, state])),
      },
    }));
  return { states, pill: Live && <Live key={props.room} {...props} onChange={onChange} /> };
}
