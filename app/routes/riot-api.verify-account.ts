import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findProvider } from "~/features/identities/providers.server";
import { linkOrRefuse } from "~/features/riot/actions.server";
import { lookUpRiotAccount } from "~/features/riot/client.server";
import { countRiotLookup, countStrangersLookup } from "~/features/riot/limits.server";
import { riotAccountSchema } from "~/features/riot/schema";
import type { RequestContext } from "~/platform/context";
import { isDatabaseUnavailable } from "~/platform/database";
import { SIGNED_OUT } from "~/platform/forms/forms.server";
import { findViewer } from "~/platform/session/check.server";
import { readBearerClaim } from "~/platform/session/claim.server";

export const loader = (_: LoaderFunctionArgs) => answer(405, { error: "Use POST." }, { Allow: "POST" });

/**
 * The verification API: takes JSON `{gameName, tagLine, region}`, returns the account or `{error}`. With a bearer token
 * (the session token), it also links the account to that player and returns its PUUID.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  if (request.method !== "POST") return answer(405, { error: "Use POST." }, { Allow: "POST" });
  try {
    return await verify(request, context);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.log.error("The database is unavailable", error);
    return answer(503, { error: "Verification isn't available right now. Please try again in a moment." });
  }
}

async function verify(request: Request, context: RequestContext) {
  if (!request.headers.get("Content-Type")?.toLowerCase().startsWith("application/json")) {
    return answer(400, { error: "Send JSON: gameName, tagLine and region." });
  }
  const body = await request.json().catch(() => undefined);
  const query = riotAccountSchema.safeParse(body);
  if (!query.success) {
    const [issue] = query.error.issues;
    return answer(400, { error: issue?.path.length ? issue.message : "Send JSON: gameName, tagLine and region." });
  }
  const claim = readBearerClaim(request, context.env.SESSION_SECRET);
  const [viewer, refusal] = await Promise.all([
    claim ? findViewer(context, claim) : null,
    claim ? countRiotLookup(context, claim) : countStrangersLookup(context),
  ]);
  if (request.headers.has("Authorization") && !viewer) return sessionEnded();
  const found = refusal ?? (await lookUpRiotAccount(context, query.data));
  if (!found.ok) {
    return answer(
      found.status,
      { error: found.error },
      found.retryAfter ? { "Retry-After": String(found.retryAfter) } : {},
    );
  }
  if (!viewer || !claim) {
    // The PUUID identifies an account for ever, whatever its name: only the account's own player is told.
    const { puuid: _, ...known } = found.account;
    return answer(200, { ...known, linked: false });
  }
  const hasSignOn = findProvider(context.env, "riot") !== undefined;
  const failure = await linkOrRefuse(context, claim, found.account, hasSignOn);
  if (failure === SIGNED_OUT) return sessionEnded();
  if (failure) return answer(failure.status, { error: failure.error });
  return answer(200, { ...found.account, linked: true });
}

const sessionEnded = () =>
  answer(401, { error: "This session has ended. Sign in again." }, { "WWW-Authenticate": "Bearer" });

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
