import { redirect } from "@remix-run/cloudflare";
import type { RequestContext } from "../context";
import type { Toast } from "./toast";

const COOKIE = "lineup_toast";

/**
 * Redirects, and shows a toast on the next page. A prefetch leaves no toast: the click asks again, and the player may
 * open another page instead.
 */
export function redirectWithToast(
  { cookies, isPrefetch }: RequestContext,
  to: string,
  toast: Omit<Toast, "id">,
): Response {
  if (!isPrefetch) cookies.set(COOKIE, JSON.stringify(toast), { maxAge: 60 });
  return redirect(to, 303);
}

/**
 * Turns a player away from a page that is of no use to them, and shows the reason on another page. Has no effect if the
 * page is the response to a form posted without JavaScript, because it then shows the entered values.
 * @throws the redirect
 */
export function refuseVisit(context: RequestContext, to: string, reason: string): void {
  if (context.submitted) return;
  throw redirectWithToast(context, to, { kind: "error", title: "Error", description: reason });
}

/**
 * Returns the toast to show: this request's own, or else the one that the previous request left. The latter is removed,
 * so that it shows once. A prefetch neither gets nor removes it.
 */
export function takeToast({ toast, cookies, isPrefetch, requestId }: RequestContext): Toast | null {
  if (toast) return toast;
  const cookie = cookies.get(COOKIE);
  if (!cookie || isPrefetch) return null;
  cookies.delete(COOKIE);
  try {
    const { kind, title, description } = JSON.parse(cookie);
    if ((kind !== "success" && kind !== "error") || typeof title !== "string") return null;
    return { id: requestId, kind, title, ...(typeof description === "string" && { description }) };
  } catch {
    // We didn't write the cookie, so there is no toast.
    return null;
  }
}
