import type { Params } from "@remix-run/react";
import type { RequestContext } from "~/platform/context";
import { idParam } from "~/platform/request/params.server";

/**
 * The tournament that an address names.
 * @throws a 404 response when it can't be a tournament's
 */
export const tournamentIdOf = (params: Params<string>, context: RequestContext, request: Request): string =>
  idParam(params, "tournamentId", context, request);
