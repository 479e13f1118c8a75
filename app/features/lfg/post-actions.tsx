import { useEffect, useState } from "react";
import { Button, ButtonLink } from "~/ui/button";
import { useBumpForm } from "./pending-bump";
import type { PostView } from "./present.server";

/** The actions that an author has on an open post, on any page: bump, edit, close. */
export function PostActions({
  post,
  returnTo,
  query,
  ...look
}: {
  post: Pick<PostView, "id" | "bumpIn">;
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
 * bumped, even if that moment comes while the page is open. The browser's clock may be wrong, so it isn't consulted.
 */
function useBumpWait({ bumpIn }: Pick<PostView, "bumpIn">): string | null {
  const [waited, setWaited] = useState<PostView["bumpIn"]>(null);
  useEffect(() => {
    if (!bumpIn) return;
    const timer = setTimeout(() => setWaited(bumpIn), bumpIn.duration);
    return () => clearTimeout(timer);
  }, [bumpIn]);
  return bumpIn === null || bumpIn === waited ? null : bumpIn.words;
}
