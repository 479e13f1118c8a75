import { useEffect, useState } from "react";
import { Button, ButtonLink } from "~/ui/button";
import { useBumpForm } from "./pending-bump";
import type { PostView } from "./present.server";
import { BUMP_INTERVAL } from "./rules";

/** The actions that an author has on an open post, on any page: bump, edit, close. */
export function PostActions({
  post,
  returnTo,
  query,
  ...look
}: {
  post: Pick<PostView, "id" | "listed" | "bumpIn">;
  /** The page that shows the actions, to which a bump returns. */
  returnTo: string;
  /** The query string for the dialogs' addresses, so that closing them returns to that page (`way-back.ts`). */
  query: string;
  size?: "row";
  /** The id of the post's title, on a page with the actions of several posts. */
  "aria-describedby"?: string;
}) {
  const { bumped, Form } = useBumpForm();
  const wait = useBumpWait(post);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {(wait === null || bumped === post.id) && (
          <Form method="post" action={`/lfg/${post.id}`} className="contents">
            <input type="hidden" name="returnTo" value={returnTo} />
            <Button {...look} name="intent" value="bump" busy={bumped === post.id}>
              Bump
            </Button>
          </Form>
        )}
        <ButtonLink {...look} to={`/lfg/${post.id}/edit${query}`} preventScrollReset>
          Edit
        </ButtonLink>
        <ButtonLink {...look} to={`/lfg/${post.id}/close${query}`} variant="quiet" preventScrollReset>
          Close Post
        </ButtonLink>
      </div>
      {wait !== null && bumped !== post.id && (
        <p className="order-last mt-2 basis-full text-meta text-muted">You can bump it in {wait}.</p>
      )}
    </>
  );
}

/**
 * Returns how long the author has to wait before the post can be bumped, in the server's words; null once it can be
 * bumped, even if that moment comes while the page is open.
 */
function useBumpWait({ listed, bumpIn }: Pick<PostView, "listed" | "bumpIn">): string | null {
  const readyAt = Date.parse(listed.iso) + BUMP_INTERVAL;
  const [waited, setWaited] = useState<number>();
  useEffect(() => {
    const timer = setTimeout(() => setWaited(readyAt), Math.max(0, readyAt - Date.now()));
    return () => clearTimeout(timer);
  }, [readyAt]);
  return waited === readyAt ? null : bumpIn;
}
