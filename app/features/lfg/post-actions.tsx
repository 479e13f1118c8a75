import { useEffect, useState } from "react";
import { Button, ButtonLink } from "~/ui/button";
import { useBumpForm } from "./pending-bump";
import type { PostView } from "./present.server";
import { BUMP_INTERVAL } from "./rules";

/** What an author can do with an open post wherever it shows: bump, edit, close. */
export function PostActions({
  post,
  returnTo,
  query,
  size = "normal",
}: {
  post: Pick<PostView, "id" | "listed" | "bumpIn">;
  /** The page on which it shows, where a bump leads back to. */
  returnTo: string;
  /** What the addresses of the dialogs end with, so that they close to that page (`way-back.ts`). */
  query: string;
  size?: "row" | "normal";
}) {
  const { bumped, Form } = useBumpForm();
  const wait = useBumpWait(post);
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {(wait === null || bumped === post.id) && (
          <Form method="post" action={`/lfg/${post.id}`} className="contents">
            <input type="hidden" name="returnTo" value={returnTo} />
            <Button name="intent" value="bump" size={size} busy={bumped === post.id}>
              Bump
            </Button>
          </Form>
        )}
        <ButtonLink to={`/lfg/${post.id}/edit${query}`} size={size} preventScrollReset>
          Edit
        </ButtonLink>
        <ButtonLink to={`/lfg/${post.id}/close${query}`} size={size} variant="quiet" preventScrollReset>
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
 * How long an author waits before a post can be bumped, as the server has said it; null once it can, also when that
 * moment comes while the page is open.
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
