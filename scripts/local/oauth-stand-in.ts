import { createHash, randomBytes } from "node:crypto";
import { type LocalServer, serveFetch } from "./http";
import { standInPuuid } from "./stand-in-puuid";

/** The delay of a slow endpoint, in milliseconds. */
const SILENCE = 30_000;
/** The size of an `endless` body in bytes, larger than any response that we read. */
const ENDLESS = 1024 * 1024;

export const DISCORD_CLIENT = { id: "local-discord-client", secret: "local-discord-secret-never-shown" };
export const RIOT_CLIENT = { id: "local-riot-client", secret: "local-riot-client-secret-never-shown" };
/** The assertion that newer Riot clients send instead of a secret. */
export const RIOT_ASSERTION = "local.riot.assertion-never-shown";

export interface DiscordUser {
  id: string;
  username: string;
  email: string | null;
  verified: boolean;
}

export interface RiotUser {
  gameName: string;
  tagLine: string;
}

/** Made-up people to choose from. */
const DISCORD_USERS: readonly DiscordUser[] = [
  { id: "80351110224678912", username: "nova.ping", email: "nova@example.com", verified: true },
  { id: "80351110224678913", username: "quiet.owl", email: "owl@example.com", verified: false },
  // Has an account in every world.
  { id: "80351110224678914", username: "thunder.kitten", email: "player3@example.com", verified: true },
];
const RIOT_USERS: readonly RiotUser[] = [
  { gameName: "Nova Ping", tagLine: "NOVA" },
  // The owner of the Riot account that player1 claims.
  { gameName: "Sørina Wójcik", tagLine: "CALM" },
];

type Site = "discord" | "riot";

/** The faults of an endpoint: status 500, no response for 30 s, an endless, empty or non-JSON body, or a redirect. */
export type Fault = "broken" | "slow" | "garbled" | "endless" | "redirect" | "empty";

interface Grant {
  site: Site;
  clientId: string;
  redirectUri: string;
  challenge: string | null;
  /** The key of the chosen account. */
  account: string;
}

export interface OAuthStandIn extends LocalServer {
  /** The Worker's settings for both providers: clients, secrets and URLs. */
  bindings: Record<string, string>;
  /** Returns the account of a bearer token, for the Riot stand-in's `accounts/me`. */
  riotAccount(token: string): (RiotUser & { puuid: string }) | undefined;
  addDiscordUser(user: DiscordUser): void;
  addRiotUser(user: RiotUser): void;
  /** Makes the next request to an endpoint fail: the token endpoint, or the one that returns a token's account. */
  failNext(endpoint: "token" | "account", fault: Fault): void;
  /** Returns and clears the planned fault of Riot's `accounts/me`, which another server serves. */
  takeAccountFault(signal: AbortSignal): Promise<Response> | Response | undefined;
  /** Creates a code as if an account's owner had consented; it may be for another client, or without PKCE. */
  makeCode(site: Site, account: string, how: { clientId?: string; redirectUri: string }): string;
  /** Method and path of every request so far. */
  requests: string[];
}

/** The key of an account, in the chooser and for `makeCode`. */
const riotKey = ({ gameName, tagLine }: RiotUser) => `${gameName}#${tagLine}`;

/**
 * Speaks OAuth 2 like Discord (`/discord/…`) and Riot (`/riot/…`), over real HTTP: a consent page on which to choose an
 * account; codes that work once, for one client, one redirect URI and the right PKCE verifier; tokens; and Discord's
 * `/users/@me`. Riot's `accounts/me` is in `riot-stand-in.ts`, with Riot's other endpoints.
 * @param options.origins the app's origins, whose callbacks are registered
 */
export async function startOAuthStandIn({ origins }: { origins: readonly string[] }): Promise<OAuthStandIn> {
  const discordUsers = new Map(DISCORD_USERS.map((user) => [user.id, user]));
  const riotUsers = new Map(RIOT_USERS.map((user) => [riotKey(user), user]));
  const grants = new Map<string, Grant>();
  const tokens = new Map<string, Pick<Grant, "site" | "account">>();
  const faults = new Map<"token" | "account", Fault>();
  const requests: string[] = [];

  const accountsOf = (site: Site) =>
    site === "discord"
      ? [...discordUsers].map(([key, { username, email, verified }]) => ({
          key,
          label: username,
          hint: email ? `${email}${verified ? "" : ", not confirmed"}` : "no email address",
        }))
      : [...riotUsers].map(([key]) => ({ key, label: key, hint: "" }));

  const makeCode: OAuthStandIn["makeCode"] = (site, account, { clientId, redirectUri }) =>
    grant({ site, account, redirectUri, clientId: clientId ?? clientOf(site).id, challenge: null });

  function grant(what: Grant): string {
    const code = randomBytes(15).toString("base64url");
    grants.set(code, what);
    return code;
  }

  function takeFault(endpoint: "token" | "account", signal: AbortSignal): Promise<Response> | Response | undefined {
    const fault = faults.get(endpoint);
    faults.delete(endpoint);
    return fault && failAs(fault, signal);
  }

  async function authorize(site: Site, request: Request): Promise<Response> {
    const isSubmitted = request.method === "POST";
    const params = isSubmitted ? new URLSearchParams(await request.text()) : new URL(request.url).searchParams;
    const param = (name: string) => params.get(name) ?? "";
    const redirectUri = param("redirect_uri");
    const isRegistered = origins.some((origin) => redirectUri === `${origin}/auth/oauth/${site}/callback`);
    // There is no trusted URL to redirect to, so the error is shown here.
    if (param("client_id") !== clientOf(site).id || !isRegistered)
      return page(site, "<p>Unknown client or address.</p>");
    const back = (answer: Record<string, string>) => {
      const address = new URL(redirectUri);
      const iss = `${new URL(request.url).origin}/${site}`;
      for (const [name, value] of Object.entries({ ...answer, state: param("state"), iss })) {
        address.searchParams.set(name, value);
      }
      return Response.redirect(address, 302);
    };
    const scopes = param("scope").split(" ");
    const needed = site === "discord" ? ["identify", "email"] : ["openid"];
    if (param("response_type") !== "code") return back({ error: "unsupported_response_type" });
    if (!needed.every((scope) => scopes.includes(scope))) return back({ error: "invalid_scope" });
    const challenge = params.get("code_challenge");
    if (challenge !== null && param("code_challenge_method") !== "S256") return back({ error: "invalid_request" });
    if (!isSubmitted) return page(site, consent(site, params, accountsOf(site)));
    if (param("decision") !== "allow") return back({ error: "access_denied" });
    const account = accountsOf(site).find(({ key }) => key === param("account"));
    if (!account) return back({ error: "invalid_request" });
    return back({ code: grant({ site, clientId: clientOf(site).id, redirectUri, challenge, account: account.key }) });
  }

  async function exchange(site: Site, request: Request): Promise<Response> {
    const failing = takeFault("token", request.signal);
    if (failing) return failing;
    const params = new URLSearchParams(await request.text());
    if (!isClient(site, request, params)) return Response.json({ error: "invalid_client" }, { status: 401 });
    const refuse = (error: string) =>
      Response.json({ error, error_description: "Sent by the stand-in" }, { status: 400 });
    if (params.get("grant_type") !== "authorization_code") return refuse("unsupported_grant_type");
    const code = params.get("code") ?? "";
    const granted = grants.get(code);
    // A code works once, even if the exchange fails.
    grants.delete(code);
    const verifier = params.get("code_verifier");
    const isRight =
      granted?.site === site &&
      granted.clientId === clientOf(site).id &&
      granted.redirectUri === params.get("redirect_uri") &&
      (granted.challenge === null || granted.challenge === sha256(verifier ?? ""));
    if (!granted || !isRight) return refuse("invalid_grant");
    const token = randomBytes(24).toString("base64url");
    tokens.set(token, { site, account: granted.account });
    return Response.json({ access_token: token, token_type: "Bearer", expires_in: 600, scope: "granted" });
  }

  async function discordUser(request: Request): Promise<Response> {
    const failing = takeFault("account", request.signal);
    if (failing) return failing;
    const token = tokens.get(bearerOf(request));
    const user = token?.site === "discord" ? discordUsers.get(token.account) : undefined;
    if (!user) return Response.json({ message: "401: Unauthorized", code: 0 }, { status: 401 });
    return Response.json({ ...user, discriminator: "0", global_name: null, avatar: null });
  }

  const server = await serveFetch((request) => {
    const { pathname } = new URL(request.url);
    requests.push(`${request.method} ${pathname}`);
    switch (pathname) {
      case "/discord/oauth2/authorize":
        return authorize("discord", request);
      case "/riot/authorize":
        return authorize("riot", request);
      case "/discord/api/oauth2/token":
        return exchange("discord", request);
      case "/riot/token":
        return exchange("riot", request);
      case "/discord/api/users/@me":
        return discordUser(request);
      default:
        return new Response("Not found", { status: 404 });
    }
  });

  return {
    ...server,
    bindings: {
      DISCORD_CLIENT_ID: DISCORD_CLIENT.id,
      DISCORD_CLIENT_SECRET: DISCORD_CLIENT.secret,
      DISCORD_BASE_URL: `${server.url}/discord`,
      RIOT_CLIENT_ID: RIOT_CLIENT.id,
      RIOT_CLIENT_SECRET: RIOT_CLIENT.secret,
      RIOT_AUTH_BASE_URL: `${server.url}/riot`,
    },
    requests,
    makeCode,
    addDiscordUser: (user) => void discordUsers.set(user.id, user),
    addRiotUser: (user) => void riotUsers.set(riotKey(user), user),
    failNext: (endpoint, fault) => void faults.set(endpoint, fault),
    takeAccountFault: (signal) => takeFault("account", signal),
    riotAccount(token) {
      const known = tokens.get(token);
      const user = known?.site === "riot" ? riotUsers.get(known.account) : undefined;
      return user && { ...user, puuid: standInPuuid(user.gameName, user.tagLine) };
    },
  };
}

const clientOf = (site: Site) => (site === "discord" ? DISCORD_CLIENT : RIOT_CLIENT);

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");

const bearerOf = (request: Request) => request.headers.get("Authorization")?.match(/^Bearer (\S+)$/)?.[1] ?? "";

function isClient(site: Site, request: Request, params: URLSearchParams): boolean {
  const { id, secret } = clientOf(site);
  const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
  if (request.headers.get("Authorization") === basic) return true;
  return site === "riot" && params.get("client_id") === id && params.get("client_assertion") === RIOT_ASSERTION;
}

function failAs(fault: Fault, signal: AbortSignal): Promise<Response> | Response {
  switch (fault) {
    case "broken":
      return Response.json({ message: "Told to fail" }, { status: 500 });
    case "garbled":
      return new Response("<html>upstream connect error</html>", { headers: { "Content-Type": "text/html" } });
    case "endless":
      return new Response(`{"access_token":"${"x".repeat(ENDLESS)}","token_type":"Bearer"}`);
    case "redirect":
      return new Response(null, { status: 307, headers: { Location: "/elsewhere" } });
    case "empty":
      return Response.json({});
    case "slow":
      return new Promise((resolve) => {
        const finish = () => {
          clearTimeout(timer);
          resolve(Response.json({}));
        };
        const timer = setTimeout(finish, SILENCE);
        signal.addEventListener("abort", finish, { once: true });
      });
  }
}

/** Renders the consent page, with the accounts to choose from. */
function consent(
  site: Site,
  params: URLSearchParams,
  accounts: { key: string; label: string; hint: string }[],
): string {
  const hidden = [...params].map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  const choices = accounts.map(
    ({ key, label, hint }, index) =>
      `<p><label><input type="radio" name="account" value="${escapeHtml(key)}"${index === 0 ? " checked" : ""}> ${escapeHtml(label)}</label> <small>${escapeHtml(hint)}</small></p>`,
  );
  return `<form method="post" action="?">${hidden.join("")}
    <fieldset><legend>Choose an account</legend>${choices.join("")}</fieldset>
    <p><button name="decision" value="allow">Authorize</button> <button name="decision" value="deny">Cancel</button></p>
  </form><p>This is a stand-in on this machine: it has nothing to do with ${nameOf(site)}.</p>`;
}

const nameOf = (site: Site) => (site === "discord" ? "Discord" : "Riot");

const page = (site: Site, content: string) =>
  new Response(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${nameOf(site)} stand-in</title><link rel="icon" href="data:,"><body style="font:16px/1.5 system-ui;max-width:34rem;margin:3rem auto;padding:0 1rem"><h1>${nameOf(site)} stand-in</h1>${content}</body></html>`,
    { headers: { "Content-Type": "text/html; charset=utf-8" } },
  );

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);
