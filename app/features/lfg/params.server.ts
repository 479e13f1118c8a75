import type { Params } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import type { RequestContext } from "~/platform/context";
import { notFound } from "~/platform/request/not-found.server";

/**
 * The post that an address names.
 * @throws a 404 response when it can't be a post's
 */
export function postIdOf(params: Params<string>, context: RequestContext, request: Request): string {
  const id = params.postId?.toLowerCase() ?? "";
  return isUuid(id) ? id : notFound(context, request);
}
