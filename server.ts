import { type AppLoadContext, createRequestHandler, logDevReady, type ServerBuild } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { runHousekeeping } from "~/housekeeping.server";
import { isForRoom, openSocket } from "~/party.server";
import { encodeAssetPaths } from "~/platform/request/assets.server";
import { handleRequest, withGuards } from "~/platform/request/request.server";

if (process.env.NODE_ENV === "development") logDevReady(build as unknown as ServerBuild);

const remix = createRequestHandler(encodeAssetPaths(withGuards(build as unknown as ServerBuild)), process.env.NODE_ENV);

export { Conversation } from "./party/conversation";
export { Inbox } from "./party/inbox";
export { Tournament } from "./party/tournament";

export default {
  fetch: (request, bindings, execution) =>
    handleRequest(request, bindings, execution, (prepared, context) =>
      isForRoom(prepared) ? openSocket(prepared, context) : remix(prepared, context as AppLoadContext),
    ),
  scheduled: (_controller, bindings) => runHousekeeping(bindings),
} satisfies ExportedHandler<object>;
