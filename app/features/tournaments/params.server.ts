import type { Params } from "@remix-run/react";
import type { RequestContext } from "~/platform/context";
import { idParam } from "~/platform/request/params.server";

/**
 * Reads the tournament's id from the address.
 * @throws a 404 response if it can't be a tournament's id
 */
export const tournamentIdOf = (params: Params<string>, context: RequestContext, request: Request): string =>
  idParam(params, "tournamentId", context, request);
