import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { redirect } from "@remix-run/cloudflare";
import { endSession } from "~/platform/session.server";
import { redirectWithToast } from "~/platform/toast.server";

export const loader = () => redirect("/");

export async function action({ context }: ActionFunctionArgs) {
  await endSession(context);
  return redirectWithToast(context, "/auth", { kind: "success", title: "Signed out" });
}

/** Never rendered. With a component the address is a page, and gets a page when the database is away. */
export default function SignOut() {
  return null;
}
