import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import { redirect } from "@remix-run/cloudflare";
import { CodeChallengeMethod, generateCodeVerifier, generateState } from "arctic";
import * as z from "zod";
import type { RequestContext } from "~/platform/context";
import { isSameSecret, sign, unsign } from "~/platform/crypto/crypto.server";
import { MINUTE } from "~/platform/dates/durations";
import { oauthClient, type Provider } from "./providers.server";

/*
 * The OAuth flow (RFC 6749, 7636, 9207; docs/decisions/0016). The values that the callback must match are kept in a
 * signed cookie, so a callback works only in the browser that started its flow.
 */

const COOKIE = "lineup_oauth";
/** The longest time that the flow may take, in milliseconds. */
const LIFETIME = 10 * MINUTE;
/** Maximum length of the cookie's value: browsers drop cookies above 4 096 bytes, signature and attributes included. */
const MAX_VALUE_LENGTH = 3_800;
/** Distinguishes these cookies from other values signed with the same secret. */
const PREFIX = "oauth:";

export const INTENTS = ["sign-in", "link"] as const;

const flowSchema = z.object({
  provider: z.string(),
  intent: z.enum(INTENTS),
  state: z.string().min(1),
  verifier: z.string().min(1),
  /** The session to link an account to; null for a sign-in. */
  sessionId: z.string().nullable(),
  /** The path to redirect to afterwards. */
  redirectTo: z.string().nullable(),
  expiresAt: z.number(),
});

export type Flow = z.output<typeof flowSchema>;

/**
 * Redirects the browser to a provider, and stores the flow in its cookie. If the destination is too long for a cookie,
 * for example because it holds a text shared with the app, only its path is kept.
 */
export function startFlow(
  context: RequestContext,
  provider: Provider,
  { intent, redirectTo }: Pick<Flow, "intent" | "redirectTo">,
): Response {
  const { cookies, env, now, origin, claim } = context;
  const flow: Flow = {
    provider: provider.id,
    intent,
    state: generateState(),
    verifier: generateCodeVerifier(),
    sessionId: intent === "link" ? (claim?.sessionId ?? null) : null,
    redirectTo,
    expiresAt: now.getTime() + LIFETIME,
  };
  const value =
    [redirectTo, redirectTo?.split(/[?#]/)[0] ?? null]
      .map((goal) => encodeFlow({ ...flow, redirectTo: goal }))
      .find(({ length }) => length <= MAX_VALUE_LENGTH) ?? encodeFlow({ ...flow, redirectTo: null });
  cookies.set(COOKIE, sign(value, env.SESSION_SECRET), { maxAge: LIFETIME / 1000 });
  const address = oauthClient(provider, origin).createAuthorizationURLWithPKCE(
    provider.authorizeUrl,
    flow.state,
    CodeChallengeMethod.S256,
    flow.verifier,
    provider.scopes,
  );
  return redirect(address.href, 303);
}

/** The content of a callback; `flow` is null if this browser has not started a flow for it. */
type Callback = { ok: true; flow: Flow; code: string } | { ok: false; flow: Flow | null; error: string };

/**
 * Checks a provider's callback against this browser's flow, and ends the flow. A forged callback doesn't end it,
 * because the real one may still come.
 */
export function checkCallback(context: RequestContext, provider: Provider, params: URLSearchParams): Callback {
  const { cookies, env, now, claim } = context;
  const flow = readFlow(cookies.get(COOKIE), env.SESSION_SECRET);
  const begin = "Please start again.";
  if (!flow || flow.provider !== provider.id || !isSameSecret(flow.state, params.get("state") ?? "")) {
    return {
      ok: false,
      flow: null,
      error: `This answer from ${provider.name} doesn't match anything started in this browser. ${begin}`,
    };
  }
  cookies.delete(COOKIE);
  const refuse = (error: string): Callback => ({ ok: false, flow, error });
  if (flow.expiresAt <= now.getTime()) return refuse(`That took more than ten minutes. ${begin}`);
  const issuer = params.get("iss");
  if (issuer !== null && issuer !== provider.issuer)
    return refuse(`This answer didn't come from ${provider.name}. ${begin}`);
  if (flow.intent === "link" && flow.sessionId !== (claim?.sessionId ?? null)) {
    return refuse(`You've signed out or in again since you started. ${begin}`);
  }
  const problem = params.get("error");
  if (problem === "access_denied") return refuse(`You said no at ${provider.name}, so nothing was changed.`);
  const code = params.get("code");
  if (problem !== null || !code) return refuse(`${provider.name} couldn't do that. Please try again in a minute.`);
  return { ok: true, flow, code };
}

const encodeFlow = (flow: Flow): string =>
  PREFIX + encodeBase64urlNoPadding(new TextEncoder().encode(JSON.stringify(flow)));

function readFlow(cookie: string | undefined, secrets: readonly string[]): Flow | null {
  const value = cookie ? unsign(cookie, secrets) : null;
  if (!value?.startsWith(PREFIX)) return null;
  try {
    const json = new TextDecoder().decode(decodeBase64urlIgnorePadding(value.slice(PREFIX.length)));
    return flowSchema.parse(JSON.parse(json));
  } catch {
    // Signed by an older release with a different format.
    return null;
  }
}
