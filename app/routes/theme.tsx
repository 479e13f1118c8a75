import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { parseTheme } from "~/platform/pages/theme";
import { storeTheme } from "~/platform/pages/theme.server";
import { ownPath } from "~/platform/request/origin";
import "~/shell";

export const loader = () => redirect("/");

/**
 * Handles `ThemeSwitch`. It writes only a cookie in this browser, so it needs no limit; the origin is already checked.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const theme = parseTheme(form.get("theme"));
  if (!theme) throw new Response("No such theme", { status: 400 });
  storeTheme(context, theme);
  const returnTo = form.get("returnTo");
  // With JavaScript the page stays and only changes its colours.
  return returnTo === null ? null : redirect(ownPath(String(returnTo)) ?? "/", 303);
}

/** Never rendered. With a component the route counts as a page, so that an invalid request gets an error page. */
export default function ThemeAddress() {
  return null;
}
