import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { resolveAlias, settingsAddress } from "~/features/settings/subjects";
import { notFound } from "~/platform/request/not-found.server";
import "~/shell";

/** Redirects alternative spellings of an address; any other address answers 404. */
export function loader({ params, request, context }: LoaderFunctionArgs) {
  const word = resolveAlias(params.word?.toLowerCase() ?? "");
  if (!word) notFound(context, request);
  throw redirect(settingsAddress(word), 301);
}

/** Never rendered. With a component the route counts as a page, so that a wrong address gets an error page. */
export default function OtherWord() {
  return null;
}
