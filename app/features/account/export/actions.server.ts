import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { recordAudit } from "~/platform/audit.server";
import type { RequestContext } from "~/platform/context";
import { dateIn } from "~/platform/dates/dates";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { Viewer } from "~/platform/session/viewer";
import { exportAccount } from "./export.server";

/**
 * Streams the player's data as a file while it is being read, in one round trip per page of data.
 * @param page the page with the button
 * @param find finds the player, whose sign-in must be recent
 */
export const downloadData = (
  args: ActionFunctionArgs,
  page: string,
  find: (context: RequestContext, request: Request) => Promise<Viewer>,
) =>
  answerButton(args, {
    failed: "Error downloading data",
    refusedTo: page,
    limit: "export",
    viewer: (context, request) => find(context, new Request(new URL(page, request.url), { method: "POST" })),
    async run({ viewer }) {
      const { context } = args;
      const { db, now } = context;
      await recordAudit(db, { userId: viewer.id, actor: "player", action: "data-exported" }, now);
      const file = `lineup-${dateIn((await context.clock()).timeZone, now)}.json`;
      return new Response(streamOf(context, exportAccount(db, viewer.id, now)), {
        headers: { "Content-Type": "application/json", "Content-Disposition": `attachment; filename="${file}"` },
      });
    },
  });

/** Aborts the download if reading fails halfway, so that nobody mistakes a part for the whole. */
function streamOf({ log }: RequestContext, pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        log.error("An export was aborted", error);
        controller.error(error);
      }
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}
