import type { Params } from "@remix-run/react";
import { validate as isUuid } from "uuid";
import type { RequestContext } from "../context";
import { notFound } from "./not-found.server";

/**
 * Returns the id in a route's parameter.
 * @param name of the parameter, such as `postId`
 * @throws a 404 response if it can't be one of our ids
 */
export function idParam(params: Params<string>, name: string, context: RequestContext, request: Request): string {
  const id = params[name]?.toLowerCase() ?? "";
  return isUuid(id) ? id : notFound(context, request);
}
