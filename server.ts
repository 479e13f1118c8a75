import { type AppLoadContext, createRequestHandler, logDevReady, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { runHousekeeping } from "~/housekeeping.server";
import { isForRoom, openSocket } from "~/party.server";
import { encodeAssetPaths } from "~/platform/request/assets.server";
import { createManifestResponder } from "~/platform/request/manifest.server";
import { handleRequest } from "~/platform/request/request.server";
import { withGuards } from "~/platform/request/route-guards.server";

if (process.env.NODE_ENV === "development") logDevReady(build as unknown as ServerBuild);

const served = encodeAssetPaths(withGuards(build as unknown as ServerBuild));
const remix = createRequestHandler(served, process.env.NODE_ENV);
const answerManifest = createManifestResponder(served.assets);

export { Conversation } from "./party/conversation";
export { Inbox } from "./party/inbox";
export { PostList } from "./party/post-list";
export { Tournament } from "./party/tournament";

export default {
  fetch: (request, bindings, execution) =>
    handleRequest(request, bindings, execution, async (prepared, context) => {
      if (isForRoom(prepared)) return openSocket(prepared, context);
      return answerManifest(prepared) ?? remix(prepared, context as AppLoadContext);
    }),
  scheduled: (_controller, bindings) => runHousekeeping(bindings),
} satisfies ExportedHandler<object>;
