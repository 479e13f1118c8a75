import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { subscribe } from "~/features/notifications/push/commands.server";
import { listOpenTags } from "~/features/notifications/push/queries.server";
import { isPushEndpoint } from "~/features/notifications/push/rules";
import { subscriptionSchema } from "~/features/notifications/push/schema";
import { canPush, isPublicKey } from "~/features/notifications/push/send.server";
import { countOwnUse } from "~/platform/limits/uses.server";

/* The requests of the service worker, and of the button that turns push on. `public/sw.js` has the other end. */

const refuse = (status: number, error: string) => Response.json({ error }, { status });
const SIGNED_OUT = "Your session has ended. Sign in again to turn on push.";

/**
 * Lists the tags of the player's unread news, so that a browser can close older notifications whose tag isn't among
 * them. Also returns the site's key, for a browser that must subscribe again.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const { db, env, now, claim } = context;
  if (!claim) return refuse(401, SIGNED_OUT);
  const [viewer, open] = await Promise.all([context.viewer(), listOpenTags(db, claim.userId)]);
  if (!viewer) return refuse(401, SIGNED_OUT);
  return Response.json({ open, at: now.getTime(), publicKey: env.VAPID_PUBLIC_KEY ?? null });
}

/** Stores the subscription of this browser, or renews it. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { db, env, now, claim } = context;
  const submission = parseWithZod(await request.formData(), { schema: subscriptionSchema });
  if (!claim) return refuse(401, SIGNED_OUT);
  const [viewer, limit] = await Promise.all([context.viewer(), countOwnUse(context, "push", claim)]);
  if (!viewer) return refuse(401, SIGNED_OUT);
  if (!canPush(env)) return refuse(404, "This site doesn't send pushes.");
  if (submission.status !== "success" || !isPushEndpoint(submission.value.endpoint, env.PUSH_SERVICE_URL)) {
    return refuse(400, "Your browser's push service isn't one that Lineup knows.");
  }
  if (!(await isPublicKey(submission.value.p256dh))) {
    return refuse(400, "Push couldn't be turned on. Reload the page, then try again.");
  }
  if (!limit.allowed) {
    context.retryAfter = limit.retryAfter;
    return refuse(429, "That was too often. Try again later.");
  }
  await subscribe(db, claim, submission.value, now);
  return Response.json({ ok: true });
}
