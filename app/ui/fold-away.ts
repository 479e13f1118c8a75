import type { FormEvent } from "react";

/**
 * For a form of filters in a `<details>`: on phones the list comes first again, and the focus waits on the press; on wide
 * screens there is nothing to fold.
 */
export function foldAway({ currentTarget }: FormEvent<HTMLFormElement>) {
  const fold = currentTarget.closest("details");
  fold?.removeAttribute("open");
  fold?.querySelector("summary")?.focus({ preventScroll: true });
}
