import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { parseTheme } from "~/platform/pages/theme";
import { keepTheme } from "~/platform/pages/theme.server";
import { ownPath } from "~/platform/request/origin";
import "~/shell";

export const loader = () => redirect("/");

/**
 * Takes the choice of `ThemeSwitch`. It writes nothing but a cookie of this browser, so there is nothing to limit; the
 * origin was checked before.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const theme = parseTheme(form.get("theme"));
  if (!theme) throw new Response("No such theme", { status: 400 });
  keepTheme(context, theme);
  const returnTo = form.get("returnTo");
  // With JavaScript the page stays as it is and only changes its colours.
  return returnTo === null ? null : redirect(ownPath(String(returnTo)) ?? "/", 303);
}

/** Never rendered. With a component the address is a page, and a request it can't take gets a page too. */
export default function ThemeAddress() {
  return null;
}
