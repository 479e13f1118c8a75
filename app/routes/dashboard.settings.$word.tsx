import { type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { rightWord, settingsAddress } from "~/features/settings/subjects";
import { notFound } from "~/platform/request/not-found.server";
import "~/shell";

/** An address that is written otherwise leads to the right one; any other leads nowhere. */
export function loader({ params, request, context }: LoaderFunctionArgs) {
  const word = rightWord(params.word?.toLowerCase() ?? "");
  if (!word) notFound(context, request);
  throw redirect(settingsAddress(word), 301);
}

/** Never rendered. With a component the address is a page, and a wrong one gets a page too. */
export default function OtherWord() {
  return null;
}
