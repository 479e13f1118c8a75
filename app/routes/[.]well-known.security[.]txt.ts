import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { securityTxt } from "~/features/about/security-txt";
import { operatorOf } from "~/platform/operator";

/** Tells security researchers where to report what they find (RFC 9116). */
export function loader({ context: { env, origin, now } }: LoaderFunctionArgs) {
  return new Response(securityTxt({ contact: operatorOf(env).securityEmail, origin, now }), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=3600" },
  });
}
