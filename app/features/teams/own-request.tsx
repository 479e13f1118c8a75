import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/ui/button";
import { Notice } from "~/ui/notice";
import type { OwnRequest as Request } from "./queries.server";
import type { JoinState } from "./rules";

/**
 * Shows the state of the viewer's own request on a post's page. Renders nothing if the state needs no notice: members
 * see the team instead.
 */
export function OwnRequest({
  author,
  isOpen,
  isFull,
  opensAgain,
  request: { state, role, note },
}: {
  /** The name of the post's author. */
  author: string;
  /** Whether the post is open. */
  isOpen: boolean;
  /** Whether the post's team is full. */
  isFull: boolean;
  /** Whether the post opens again if someone leaves. */
  opensAgain: boolean;
  request: Request;
}) {
  const busy = useNavigation().formData?.get("intent") === "withdraw";
  if (state !== "pending") {
    const words = wordsOf(state, { isOpen, isFull, opensAgain });
    if (!words) return null;
    return (
      <Notice title={words.title} className="mt-5">
        {words.text}
      </Notice>
    );
  }
  if (!isOpen) return null;
  return (
    <Notice variant="you" title="Requested" className="mt-5">
      <p className="wrap-anywhere">
        Your request is with <bdi>{author}</bdi>. We'll let you know when they answer.
        {role && ` You would play ${role}.`}
      </p>
      {note && (
        <p dir="auto" className="mt-1 wrap-anywhere text-muted">
          “{note}”
        </p>
      )}
      <Form method="post" preventScrollReset className="mt-3">
        <Button name="intent" value="withdraw" size="row" busy={busy}>
          Withdraw
        </Button>
      </Form>
    </Notice>
  );
}

const ELSEWHERE = "There are other posts, and one of them has your spot.";

/** Returns the notice for a request that is no longer waiting; undefined if its state needs none. */
function wordsOf(
  state: JoinState,
  { isOpen, isFull, opensAgain }: { isOpen: boolean; isFull: boolean; opensAgain: boolean },
): { title: string; text: string } | undefined {
  switch (state) {
    case "declined":
      return { title: "Your request was declined.", text: ELSEWHERE };
    case "removed":
      return {
        title: "You're no longer in this team.",
        text: isOpen ? "Its author has opened your spot again." : ELSEWHERE,
      };
    case "lapsed":
      return LAPSED[isOpen ? "open" : opensAgain ? "full" : isFull ? "over" : "closed"];
    default:
      return undefined;
  }
}

/** Notices for a request that lapsed without an answer, by the state of the post. */
const LAPSED = {
  full: { title: "Someone else got the last spot.", text: "If one opens up, you can ask again." },
  over: { title: "Someone else got the last spot.", text: ELSEWHERE },
  open: { title: "This post is open again.", text: "There's a spot now, and you can ask again." },
  closed: {
    title: "The post closed before your request was answered.",
    text: "There are others, and one of them has your spot.",
  },
};
