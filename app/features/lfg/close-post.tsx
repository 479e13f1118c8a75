import { Button } from "~/ui/button";
import { usePendingChange } from "./pending-change";

/** Lets an author close a post whose team is complete, so that it stays closed when somebody leaves. */
export function ClosePost({ postId }: { postId: string }) {
  const { change, Form } = usePendingChange();
  const busy = change?.postId === postId && change.intent === "close";
  return (
    <Form method="post" action={`/lfg/${postId}`}>
      <Button name="intent" value="close" busy={busy}>
        Close Post
      </Button>
    </Form>
  );
}
