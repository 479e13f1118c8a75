import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { isDatabaseReady } from "~/platform/request/readiness.server";

/** The Worker can serve players: its settings hold, the database answers and has the tables. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ready = await isDatabaseReady(context);
  return new Response(ready ? "ready\n" : "the database is away\n", {
    status: ready ? 200 : 503,
    headers: { "Content-Type": "text/plain" },
  });
}
