import { type ActionFunctionArgs, redirect } from "@remix-run/cloudflare";
import { exportAccount } from "~/features/account/export.server";
import { settingsAddress } from "~/features/settings/subjects";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { dateIn } from "~/platform/dates/dates";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { claimedUserId, requireRecentSignIn } from "~/platform/session/session.server";

const PAGE = settingsAddress("export");

/** The file comes by POST alone: whoever lands here is shown where to ask for it. */
export const loader = () => redirect(PAGE);

/** Answers the file, while it is still being read: as many round trips as it has pages. */
export async function action({ request, context }: ActionFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const [viewer, limit] = await Promise.all([
    requireRecentSignIn(context, new Request(new URL(PAGE, request.url), { method: "POST" })),
    countUse(context, "export", userId),
  ]);
  if (!limit.allowed) {
    const { error } = tooManyTries(limit.retryAfter);
    return redirectWithToast(context, PAGE, { kind: "error", title: "Error downloading data", description: error });
  }
  const { db, now } = context;
  await recordAudit(db, { userId: viewer.id, actor: "player", action: "data-exported" }, now);
  const file = `lineup-${dateIn((await context.clock()).timeZone, now)}.json`;
  return new Response(streamOf(context, exportAccount(db, viewer.id, now)), {
    headers: { "Content-Type": "application/json", "Content-Disposition": `attachment; filename="${file}"` },
  });
}

/** What fails halfway breaks the download off, so that nobody takes a part for the whole. */
function streamOf({ log }: RequestContext, pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log.error("An export broke off", error);
        controller.error(error);
      }
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}
