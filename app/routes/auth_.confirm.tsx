import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { confirmEmail } from "~/features/auth/commands.server";
import { safeRedirect } from "~/features/auth/rules";
import { linkAfterSignup } from "~/features/riot/commands.server";
import { redirectWithToast } from "~/platform/toast.server";

/**
 * The link of the confirmation e-mail. It works on GET because a link must work wherever it is opened, JavaScript or
 * not; it is idempotent, and a prefetch does nothing (docs/decisions).
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const token = searchParams.get("token") ?? "";
  const redirectTo = safeRedirect(searchParams.get("redirectTo"));
  if (context.isPrefetch || request.method !== "GET") throw redirect("/auth");
  const [confirmed, viewer] = await Promise.all([confirmEmail(context, token), context.viewer()]);
  if (confirmed?.toLink) await linkAfterSignup(context, confirmed.userId, confirmed.toLink);
  const signIn = redirectTo ? `/auth?${new URLSearchParams({ redirectTo })}` : "/auth";
  const to = viewer ? (redirectTo ?? "/dashboard") : signIn;
  throw confirmed
    ? redirectWithToast(context, to, {
        kind: "success",
        title: "E-mail confirmed",
        description: viewer ? "Thank you. Your address is confirmed." : "Thank you. You can sign in now.",
      })
    : redirectWithToast(context, to, {
        kind: "error",
        title: "This link does not work",
        description: "It is too old, or was not copied whole. Open the newest e-mail from us.",
      });
}

/** Never rendered. With a component the address is a page, and gets a page when the database is away. */
export default function Confirm() {
  return null;
}
