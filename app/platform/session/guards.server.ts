import { redirect } from "@remix-run/cloudflare";
import type { RequestContext } from "../context";
import { redirectWithToast } from "../pages/toast.server";
import { RECENT_SIGN_IN } from "./lifetime";
import type { RestrictedViewer, SessionClaim, Viewer } from "./viewer";

/** The page to which a suspended player is redirected, one of the few that they can open. */
export const RESTRICTED_HOME = "/account/decisions";

/** Returns the page for a suspended player: the requested one if it is under `/account/`, else `RESTRICTED_HOME`. */
export const restrictedGoal = (to: string | null): string => (to?.startsWith("/account/") ? to : RESTRICTED_HOME);

/**
 * Returns the signed-in player, for a page that needs one.
 * @param why the text of a toast on the sign-in page; without it there is no toast
 * @throws a redirect to `/auth`, which returns here afterwards, or to `RESTRICTED_HOME` if the account is suspended; or
 *   a 401 response if the page is the response to a form, so that the error page can keep the entered values
 */
export async function requireViewer(context: RequestContext, request: Request, why?: string): Promise<Viewer> {
  const viewer = await context.viewer();
  if (viewer) return viewer;
  if (await context.restrictedViewer()) throw redirect(RESTRICTED_HOME, 303);
  return refuseVisitor(context, request, why);
}

/** Returns the player of a session, suspended or not, for the few pages that a suspended player may open. */
export async function requireRestrictedViewer(context: RequestContext, request: Request): Promise<RestrictedViewer> {
  return (await context.restrictedViewer()) ?? refuseVisitor(context, request);
}

/**
 * Returns what the cookie claims, for a query sent together with the session check. The caller must also await
 * `requireViewer` before responding.
 * @throws as `requireViewer`, if there is no claim at all
 */
export const requireClaim = (context: RequestContext, request: Request): SessionClaim =>
  context.claim ?? refuseVisitor(context, request);

/** Returns the id of the player whom the cookie claims. Otherwise the same as `requireClaim`. */
export const requireClaimedUserId = async (context: RequestContext, request: Request): Promise<string> =>
  requireClaim(context, request).userId;

/**
 * Refuses a visitor if the page is the response to their form, so that the error page keeps the entered values. Has no
 * effect otherwise. For the loaders of pages that a visitor may not open.
 * @throws a 401 response if the page is the response to a form
 */
export function keepSubmitted({ submitted }: Pick<RequestContext, "submitted">, request: Request): void {
  if (submitted && request.method === "GET") throw new Response("Not authenticated", { status: 401 });
}

function refuseVisitor(context: RequestContext, request: Request, why?: string): never {
  keepSubmitted(context, request);
  const { pathname, search } = new URL(request.url);
  const back = request.method === "GET" ? pathname + search : pathname;
  const signIn = back === "/dashboard" ? "/auth" : `/auth?${new URLSearchParams({ redirectTo: back })}`;
  if (why === undefined) throw redirect(signIn);
  throw redirectWithToast(context, signIn, { kind: "error", title: "Authentication required", description: why });
}

/**
 * Returns the signed-in player, for a page that changes the account's security: the sign-in must be recent.
 * @param back the page to return to afterwards; by default this one
 * @throws as `requireViewer`; also a redirect to `/auth/reauthenticate`, where the player confirms who they are before
 *   they get to `back`
 */
export async function requireRecentSignIn(context: RequestContext, request: Request, back?: string): Promise<Viewer> {
  return requireRecent(context, request, await requireViewer(context, request), back);
}

/**
 * Like `requireRecentSignIn`, but for the few pages that a suspended player may open: returns the player of a session,
 * suspended or not.
 * @throws as `requireRecentSignIn`, but never a redirect to `RESTRICTED_HOME`
 */
export async function requireRestrictedRecentSignIn(
  context: RequestContext,
  request: Request,
): Promise<RestrictedViewer> {
  return requireRecent(context, request, await requireRestrictedViewer(context, request));
}

function requireRecent<V extends Viewer>(context: RequestContext, request: Request, viewer: V, back?: string): V {
  if (isRecent(viewer, context.now)) return viewer;
  const { pathname, search } = new URL(request.url);
  // The query may hold the token of an emailed link, so it is kept.
  const here = request.method === "GET" ? pathname + search : pathname;
  throw redirect(`/auth/reauthenticate?${new URLSearchParams({ redirectTo: back ?? here })}`, 303);
}

/** Whether the player has authenticated within the last ten minutes. */
export const isRecent = ({ authenticatedAt }: Viewer, now: Date): boolean =>
  now.getTime() - authenticatedAt.getTime() < RECENT_SIGN_IN;
