import type { RequestContext } from "~/platform/context";
import { readTheme } from "~/platform/pages/theme.server";
import { takeToast } from "~/platform/pages/toast.server";

/**
 * Loads the data that every page needs. It is one module for the root, because each `.server` module that a route
 * shares with others leaves an empty chunk in the browser's build: a request and 170 bytes.
 */
export async function loadRoot(context: RequestContext) {
  const [viewer, clock] = await Promise.all([context.viewer(), context.clock()]);
  return {
    /** The zone in which this page was rendered, if the browser's would be better; null if the profile sets one. */
    zone: viewer?.timeZone ? null : clock.timeZone,
    toast: takeToast(context),
    theme: readTheme(context),
    /** For the absolute URLs in the page's head. */
    origin: context.origin,
    user: viewer && {
      id: viewer.id,
      name: viewer.name,
      emailConfirmed: viewer.emailConfirmed,
      verified: viewer.verified,
      letter: viewer.letter,
      avatarId: viewer.avatarId,
      publicName: viewer.publicName,
      riotProven: viewer.riotProven,
    },
  };
}
