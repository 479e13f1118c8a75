import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { isDatabaseReady } from "~/platform/request/readiness.server";

/** Reports whether the Worker can serve players: valid settings, and a database that answers and has its tables. */
export async function loader({ context }: LoaderFunctionArgs) {
  const ready = await isDatabaseReady(context);
  return new Response(ready ? "ready\n" : "the database is away\n", {
    status: ready ? 200 : 503,
    headers: { "Content-Type": "text/plain" },
  });
}
