import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { notFound } from "~/platform/request/not-found.server";
import "~/shell";

export const loader = ({ request, context }: LoaderFunctionArgs) => notFound(context, request);
export const action = ({ request, context }: LoaderFunctionArgs) => notFound(context, request);

/** Never rendered: the loader always throws to the root's error boundary. */
export default function UnknownAddress() {
  return null;
}
