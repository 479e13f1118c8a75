import type { Params } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import type { RequestContext } from "../context";
import { notFound } from "./not-found.server";

/**
 * The id that an address holds.
 * @param name of the route's parameter, as `postId`
 * @throws a 404 response when it can't be an id of ours
 */
export function idParam(params: Params<string>, name: string, context: RequestContext, request: Request): string {
  const id = params[name]?.toLowerCase() ?? "";
  return isUuid(id) ? id : notFound(context, request);
}
