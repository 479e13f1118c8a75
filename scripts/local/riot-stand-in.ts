import { type LocalServer, serveFetch } from "./http";
import type { OAuthStandIn } from "./oauth-stand-in";
import { fold, PUUID_LENGTH, standInPuuid } from "./stand-in-puuid";

/** The delay of the response for a game name that starts with `Slow`, in milliseconds. */
const SILENCE = 30_000;
const CLUSTERS = new Set(["americas", "europe", "asia"]);

export interface RiotId {
  gameName: string;
  tagLine: string;
}

const keyOf = ({ gameName, tagLine }: RiotId) => fold(`${gameName}#${tagLine}`);

/** The accounts that have been looked up so far, under their current names. Only these can be found by PUUID. */
class Accounts {
  readonly #byPuuid = new Map<string, RiotId>();
  /** The names that renaming has affected: a new name maps to its account's PUUID, an abandoned one to null. */
  readonly #renamed = new Map<string, string | null>();

  constructor(known: Iterable<RiotId>) {
    for (const riotId of known) this.find(riotId);
  }

  /** Finds the PUUID of the account with this name. @returns null if the account that had it has been renamed */
  find(riotId: RiotId): string | null {
    const renamed = this.#renamed.get(keyOf(riotId));
    if (renamed !== undefined) return renamed;
    const puuid = standInPuuid(riotId.gameName, riotId.tagLine);
    // The first spelling is kept: later ones may differ in case.
    if (!this.#byPuuid.has(puuid)) this.#byPuuid.set(puuid, riotId);
    return puuid;
  }

  /**
   * Returns the account's current name. Reading an account named `Fickle …` renames it to `Settled …`, for trying out
   * renaming by hand.
   */
  read(puuid: string): RiotId | undefined {
    const riotId = this.#byPuuid.get(puuid);
    if (riotId && /^fickle/i.test(riotId.gameName)) {
      this.rename(riotId, { ...riotId, gameName: riotId.gameName.replace(/^fickle/i, "Settled").slice(0, 16) });
    }
    return this.#byPuuid.get(puuid);
  }

  rename(from: RiotId, to: RiotId): void {
    const puuid = this.find(from);
    if (puuid === null) throw new Error(`${from.gameName}#${from.tagLine} is no longer anyone's name.`);
    this.#byPuuid.set(puuid, to);
    this.#renamed.set(keyOf(from), null);
    this.#renamed.set(keyOf(to), puuid);
  }
}

/**
 * Responds like Riot's account-v1, under `/{cluster}/riot/account/v1/…`: every well-formed Riot ID exists. Game names
 * that start with certain words (in upper or lower case) misbehave: `Missing` gets 404, `Limited` 429, `Broken` 503,
 * `Garbled` 200 with a body that isn't JSON, and `Slow` no response for 30 s.
 * @returns the response, or null for other URLs
 */
function riotStandIn(request: Request, accounts: Accounts): Response | Promise<Response> | null {
  const [cluster, ...path] = new URL(request.url).pathname.slice(1).split("/");
  if (!CLUSTERS.has(cluster ?? "") || path.slice(0, 3).join("/") !== "riot/account/v1") return null;
  if (request.method !== "GET") return failure(405, "Method not allowed");
  const key = request.headers.get("X-Riot-Token");
  if (!key) return failure(401, "Unauthorized");
  if (key === "expired") return failure(403, "Forbidden");

  const [resource, lookup, ...parts] = path.slice(3);
  let values: string[];
  try {
    values = parts.map(decodeURIComponent);
  } catch {
    return failure(400, "Bad Request - malformed escape");
  }
  if (resource === "accounts" && lookup === "by-riot-id" && values.length === 2) {
    return account({ gameName: values[0] as string, tagLine: values[1] as string }, accounts, request.signal);
  }
  if (resource === "accounts" && lookup === "by-puuid" && values.length === 1) {
    const puuid = values[0] as string;
    if (puuid.length !== PUUID_LENGTH) return failure(400, "Bad Request - Exception decrypting");
    const riotId = accounts.read(puuid);
    if (!riotId) return failure(404, "Data not found - No results found for player");
    return failOrAnswer(riotId, request.signal, () => Response.json({ puuid, ...riotId }));
  }
  if (
    resource === "active-shards" &&
    lookup === "by-game" &&
    values[0] === "val" &&
    values[1] === "by-puuid" &&
    values.length === 3
  ) {
    return activeShard(values[2] as string, cluster as string);
  }
  return failure(404, "Data not found");
}

function account(riotId: RiotId, accounts: Accounts, signal: AbortSignal): Response | Promise<Response> {
  const { gameName, tagLine } = riotId;
  const length = [...gameName.normalize("NFC")].length;
  if (length < 3 || length > 16 || /[\p{Cc}#]/u.test(gameName)) return failure(400, "Bad Request - gameName");
  if (!/^[\p{L}\p{N}]{3,5}$/u.test(tagLine)) return failure(400, "Bad Request - tagLine");
  return failOrAnswer(riotId, signal, () => {
    const puuid = accounts.find(riotId);
    return puuid === null
      ? failure(404, "Data not found - No results found for player")
      : Response.json({ puuid, gameName, tagLine });
  });
}

/** Fails in the way that the game name asks for, and otherwise returns the response that `found` makes. */
function failOrAnswer({ gameName }: RiotId, signal: AbortSignal, found: () => Response): Response | Promise<Response> {
  const name = fold(gameName);
  if (name.startsWith("missing")) return failure(404, "Data not found - No results found for player");
  if (name.startsWith("limited")) return failure(429, "Rate limit exceeded", { "Retry-After": "2" });
  if (name.startsWith("broken")) return failure(503, "Service unavailable");
  if (name.startsWith("garbled"))
    return new Response("<html>upstream connect error</html>", { headers: { "Content-Type": "text/html" } });
  if (name.startsWith("slow")) return afterSilence(signal, found);
  return found();
}

function activeShard(puuid: string, cluster: string): Response {
  if (puuid.length !== PUUID_LENGTH) return failure(400, "Bad Request - Exception decrypting");
  const shard = { americas: "na", europe: "eu", asia: "ap" }[cluster];
  return Response.json({ puuid, game: "val", activeShard: shard });
}

const failure = (status: number, message: string, headers: HeadersInit = {}) =>
  Response.json({ status: { message, status_code: status } }, { status, headers });

/** Responds after `SILENCE`, or once the client disconnects, so that no timer outlives its connection. */
function afterSilence(signal: AbortSignal, answer: () => Response): Promise<Response> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      resolve(answer());
    };
    const timer = setTimeout(finish, SILENCE);
    signal.addEventListener("abort", finish, { once: true });
  });
}

/** Responds to `accounts/me` with the token's account. @returns null for other URLs */
function ownAccount(
  request: Request,
  signOn: SignOn | undefined,
  accounts: Accounts,
): Response | Promise<Response> | null {
  if (!/^\/(americas|europe|asia)\/riot\/account\/v1\/accounts\/me$/.test(new URL(request.url).pathname)) return null;
  const fault = signOn?.takeAccountFault(request.signal);
  if (fault) return fault;
  const token = request.headers.get("Authorization")?.match(/^Bearer (\S+)$/)?.[1];
  const account = token && signOn?.riotAccount(token);
  if (!account) return failure(401, "Unauthorized");
  accounts.find({ gameName: account.gameName, tagLine: account.tagLine });
  return Response.json(account);
}

export interface RiotStandIn extends LocalServer {
  /** For the Worker's `RIOT_API_BASE_URL`. */
  baseUrl: string;
  /** The paths of all requests so far, in order. Empty it with `requests.length = 0`. */
  requests: string[];
  /** Renames an account: from then on nobody has the old name, and the new one has the account's PUUID. */
  rename(from: RiotId, to: RiotId): void;
}

/** The part of `oauth-stand-in.ts` that knows Riot Sign-On's tokens. */
type SignOn = Pick<OAuthStandIn, "riotAccount" | "takeAccountFault">;

/**
 * Serves the stand-in over real HTTP on a free port of 127.0.0.1.
 * @param known accounts that were looked up before the start, such as those of the worlds
 */
export async function startRiotStandIn(signOn?: SignOn, known: Iterable<RiotId> = []): Promise<RiotStandIn> {
  const requests: string[] = [];
  const accounts = new Accounts(known);
  const server = await serveFetch(async (request) => {
    requests.push(new URL(request.url).pathname);
    return ownAccount(request, signOn, accounts) ?? (await riotStandIn(request, accounts)) ?? failure(404, "Not found");
  });
  return {
    ...server,
    baseUrl: `${server.url}/{cluster}`,
    requests,
    rename: (from, to) => accounts.rename(from, to),
  };
}
