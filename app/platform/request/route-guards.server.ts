import type { ServerBuild } from "@remix-run/cloudflare";
import type { RequestContext } from "../context";
import { isDatabaseUnavailable } from "../database";
import { TRAP_FIELD } from "../forms/forms";
import { isBusy } from "../limits/turns.server";

type Handler = ((args: never) => unknown) | undefined;

/**
 * Wraps every loader and action of a build in checks that all routes need. If the database is unavailable or the server
 * too busy, the wrapper throws a 503 response, for which the nearest error boundary has a page. A form whose honeypot
 * is filled in never reaches an action.
 */
export function withGuards(build: ServerBuild): ServerBuild {
  const routes = Object.fromEntries(
    Object.entries(build.routes).map(([id, route]) => [
      id,
      route && {
        ...route,
        module: { ...route.module, loader: guard(route.module.loader), action: guardAction(route.module.action) },
      },
    ]),
  );
  return { ...build, routes };
}

function guard<F extends Handler>(handler: F): F {
  return (handler &&
    (async (args: never) => {
      const { context } = args as { context: RequestContext };
      try {
        return await handler(args);
      } catch (error) {
        if (isBusy(error)) context.log.warn("Too much of the same work is under way");
        else if (isDatabaseUnavailable(error)) context.log.error("The database is unavailable", error);
        else throw error;
        throw new Response("Not now", { status: 503 });
      }
    })) as F;
}

function guardAction<F extends Handler>(action: F): F {
  return (action &&
    guard(async (args: never) => {
      const { context } = args as { context: RequestContext };
      if (context.submitted?.get(TRAP_FIELD)) {
        context.log.warn("A form came with its honeypot filled in");
        throw new Response("This form wasn't sent by a person", { status: 400 });
      }
      return action(args);
    })) as F;
}
