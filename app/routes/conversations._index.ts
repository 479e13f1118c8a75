import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findConversationPage } from "~/features/messages/list/list.server";

/** Returns the conversations listed beside a thread, as JSON. The page reloads them whenever the inbox reports news. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = context.claim?.userId;
  if (!userId) return Response.json({ error: "Sign in first." }, { status: 401 });
  const [viewer, page] = await Promise.all([context.viewer(), findConversationPage(context, userId, request)]);
  return viewer ? Response.json(page) : Response.json({ error: "Sign in first." }, { status: 401 });
}
