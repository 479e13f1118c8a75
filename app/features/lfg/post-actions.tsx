import { Button, ButtonLink } from "~/ui/button";
import { usePendingChange } from "./pending-change";

/** What an author can do with an open post wherever it shows: bump, edit, close. `returnTo` is where the page stands. */
export function PostActions({
  postId,
  returnTo,
  size = "normal",
}: {
  postId: string;
  returnTo: string;
  size?: "row" | "normal";
}) {
  const { change, Form } = usePendingChange();
  const running = change?.postId === postId ? change.intent : undefined;
  return (
    <div className="flex flex-wrap gap-2">
      <Form method="post" action={`/lfg/${postId}`} className="contents">
        <input type="hidden" name="returnTo" value={returnTo} />
        <Button name="intent" value="bump" size={size} busy={running === "bump"}>
          Bump
        </Button>
        <ButtonLink to={`/lfg/${postId}/edit`} size={size}>
          Edit
        </ButtonLink>
        <Button name="intent" value="close" variant="quiet" size={size} busy={running === "close"}>
          Close Post
        </Button>
      </Form>
    </div>
  );
}
