import { encodeBase64 } from "@oslojs/encoding";
import { OAuth2Tokens } from "arctic";
import type { RequestContext } from "~/platform/context";
import { readLimitedBody } from "~/platform/request/body";
import { callbackAddress, type ProvenAccount, type Provider } from "./providers.server";

/** The timeout of each of the two requests, in milliseconds. Neither is retried, because a code works once. */
const TIMEOUT = 5_000;
/** In bytes: far more than any response to our requests. */
const BODY_LIMIT = 64 * 1024;
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

type ProviderAnswer = { ok: true; account: ProvenAccount } | { ok: false; error: string };

/**
 * Exchanges a code for a token at its provider, and asks for the token's account. The token is used only for this
 * request and not stored.
 * @param verifier the PKCE verifier of the code's flow
 */
export async function askProvider(
  { log, origin }: Pick<RequestContext, "log" | "origin">,
  provider: Provider,
  code: string,
  verifier: string,
): Promise<ProviderAnswer> {
  const { name } = provider;
  const unreachable = `${name} isn't answering right now. Please try again in a minute.`;
  const refuse = (step: "token" | "account", reason: string | number, error: string): ProviderAnswer => {
    log.warn("A sign-in provider did not confirm an account", { provider: provider.id, step, reason });
    return { ok: false, error };
  };

  const exchange = await ask(provider.tokenUrl, tokenRequest(provider, code, verifier, origin));
  if (exchange.status === 400 || exchange.status === 401) {
    const reason = errorOf(exchange.body);
    // Our own settings are wrong: the log says so, and the player can only wait.
    if (reason === "invalid_client") return refuse("token", reason, `${name} isn't available here right now.`);
    return refuse("token", reason, `${name} didn't accept this sign-in. Please start again.`);
  }
  const token = exchange.status === 200 ? accessToken(exchange.body) : null;
  if (!token) return refuse("token", exchange.status, unreachable);

  const answer = await ask(provider.accountUrl, { headers: { Authorization: `Bearer ${token}` } });
  if (answer.status !== 200) return refuse("account", answer.status, unreachable);
  try {
    return { ok: true, account: provider.readAccount(answer.body) };
  } catch {
    // zod's error would put the provider's response into the log.
    return refuse("account", "unreadable", `${name} didn't tell us who you are. Please try again later.`);
  }
}

/*
 * Replaces arctic's `validateAuthorizationCode`, which has no timeout, follows redirects (with our secret), reads
 * bodies of any size, and doesn't support client assertions.
 */
function tokenRequest({ id, clientId, proof }: Provider, code: string, verifier: string, origin: string): RequestInit {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: callbackAddress(id, origin),
    code_verifier: verifier,
  });
  const headers = new Headers();
  if ("secret" in proof) {
    headers.set("Authorization", `Basic ${encodeBase64(new TextEncoder().encode(`${clientId}:${proof.secret}`))}`);
  } else {
    body.set("client_id", clientId);
    body.set("client_assertion_type", ASSERTION_TYPE);
    body.set("client_assertion", proof.assertion);
  }
  return { method: "POST", headers, body };
}

/**
 * Sends a request.
 * @returns the status (or why there is none), and the parsed JSON body, undefined if the response has none
 */
async function ask(url: string, init: RequestInit): Promise<{ status: number | "no answer"; body?: unknown }> {
  const headers = new Headers(init.headers);
  headers.set("Accept", "application/json");
  // Discord rejects requests without a user agent.
  headers.set("User-Agent", "Lineup");
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { ...init, headers, redirect: "manual", signal });
    const bytes = await readLimitedBody(response, { limit: BODY_LIMIT, maxRead: BODY_LIMIT });
    return { status: response.status, body: bytes && parseJson(new TextDecoder().decode(bytes)) };
  } catch {
    // No connection, or no response in time.
    return { status: "no answer" };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function accessToken(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  try {
    const tokens = new OAuth2Tokens(body);
    return tokens.tokenType().toLowerCase() === "bearer" ? tokens.accessToken() : null;
  } catch {
    // A field is missing.
    return null;
  }
}

/** Returns the error code for the log: one of OAuth's words, never a sentence from the provider. */
function errorOf(body: unknown): string {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === "string" && /^[a-z_]{1,40}$/.test(error) ? error : "unexplained";
}
