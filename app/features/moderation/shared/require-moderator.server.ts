import type { RequestContext } from "~/platform/context";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { keepSubmitted } from "~/platform/session/guards.server";
import type { Viewer } from "~/platform/session/viewer";

/** A signed-in player who is a moderator or an admin. */
export type Moderator = Viewer & { role: NonNullable<Viewer["role"]> };

/**
 * Returns the signed-in moderator or admin, for the pages of moderation.
 * @throws a 404 response for everyone else; a redirect to the settings if the moderator has no second factor yet; a 401
 *   response if the session has ended and the page handles a form, so that the error page can keep the entered values
 */
export async function requireModerator(context: RequestContext, request: Request): Promise<Moderator> {
  const viewer = await context.viewer();
  if (!(await context.restrictedViewer())) keepSubmitted(context, request);
  if (!viewer?.role) return notFound(context, request);
  if (!viewer.hasSecondFactor) {
    throw redirectWithToast(context, "/dashboard/settings/two-factor", {
      kind: "error",
      title: "Two-factor first",
      description: "Moderators sign in with a second factor. Set yours up, then open the page again.",
    });
  }
  return { ...viewer, role: viewer.role };
}

/**
 * Returns the moderator who sends a form: the `viewer` option of `answerForm`, which keeps the entered values if the
 * session has ended.
 * @returns null if the session has ended
 * @throws as `requireModerator`
 */
export const findModerator = async (context: RequestContext, request: Request): Promise<Moderator | null> =>
  (await context.restrictedViewer()) ? requireModerator(context, request) : null;

/**
 * Returns the signed-in admin, for the pages of admins.
 * @throws as `requireModerator`; also a 404 response for moderators who aren't admins
 */
export async function requireAdmin(context: RequestContext, request: Request): Promise<Moderator> {
  const moderator = await requireModerator(context, request);
  return moderator.role === "admin" ? moderator : notFound(context, request);
}

/**
 * Returns the player's id according to the cookie, for a query sent together with `requireModerator`.
 * @throws as `requireModerator`, if there is no claim at all
 */
export function requireClaimedModeratorId(context: RequestContext, request: Request): string {
  if (context.claim) return context.claim.userId;
  keepSubmitted(context, request);
  return notFound(context, request);
}
