import type { Params } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import type { RequestContext } from "~/platform/context";
import { notFound } from "~/platform/request/not-found.server";

/**
 * Reads the post's id from the address.
 * @throws a 404 response if it can't be a post's id
 */
export function postIdOf(params: Params<string>, context: RequestContext, request: Request): string {
  const id = params.postId?.toLowerCase() ?? "";
  return isUuid(id) ? id : notFound(context, request);
}
