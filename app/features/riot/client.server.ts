import * as z from "zod";
import type { VerificationRegion } from "~/game/regions";
import type { RequestContext } from "~/platform/context";
import type { RiotAccountData } from "./rules";
import type { RiotAccountQuery } from "./schema";

const TRY_TIMEOUT = 5_000;
const TOTAL_TIMEOUT = 12_000;
/** Delays before the second and third attempt, in milliseconds; a lookup changes nothing, so repeating it is safe. */
const RETRY_DELAYS = [250, 750];
const RETRIABLE = new Set([500, 502, 503, 504]);

/** Riot's response; the names may be missing. */
const responseSchema = z.object({
  puuid: z.string().min(1).max(128),
  gameName: z.string().nullish(),
  tagLine: z.string().nullish(),
});

/** Why a lookup failed: a status for the API and a sentence for the player. */
export interface RiotFailure {
  ok: false;
  status: 400 | 404 | 429 | 503;
  error: string;
  /** Seconds, with 429 and 503. */
  retryAfter?: number;
}

type RiotLookup = { ok: true; account: RiotAccountData } | RiotFailure;

const UNREACHABLE: RiotFailure = {
  ok: false,
  status: 503,
  error: "Riot isn't answering right now. Please try again in a minute.",
  retryAfter: 30,
};

/**
 * Looks up a Riot ID in Riot's account-v1. Retries if Riot or the network fails: at most three attempts within 12
 * seconds. The API key and Riot's raw response never leave this module.
 */
export function lookUpRiotAccount(context: RiotContext, query: RiotAccountQuery): Promise<RiotLookup> {
  const { gameName, tagLine, region } = query;
  return askRiot(context, region, ["by-riot-id", gameName, tagLine], query);
}

/**
 * Looks up an account's current name in account-v1: the PUUID stays the same when the player changes their name.
 * @param known the account as found before
 */
export async function readRiotAccount(context: RiotContext, known: RiotAccountData): Promise<RiotLookup> {
  const found = await askRiot(context, known.region, ["by-puuid", known.puuid], known);
  if (found.ok) return found.account.puuid === known.puuid ? found : UNREACHABLE;
  if (found.status !== 400 && found.status !== 404) return found;
  return { ...found, error: "Riot can't find your account any more. Please try again later." };
}

type RiotContext = Pick<RequestContext, "env" | "log">;

/** Sends the request, with retries. @param known the names to use if Riot omits them */
async function askRiot(
  { env, log }: RiotContext,
  region: VerificationRegion,
  path: readonly string[],
  known: { gameName: string; tagLine: string },
): Promise<RiotLookup> {
  const base = env.RIOT_API_BASE_URL.replace("{cluster}", region);
  const url = `${base}/riot/account/v1/accounts/${path.map(encodeURIComponent).join("/")}`;
  const deadline = AbortSignal.timeout(TOTAL_TIMEOUT);
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await tryOnce(url, env.RIOT_API_KEY, deadline);
    const delay = RETRY_DELAYS[attempt];
    if (outcome.retriable && delay !== undefined && !deadline.aborted) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      continue;
    }
    if ("status" in outcome && outcome.status === 200) {
      const parsed = responseSchema.safeParse(outcome.body);
      if (parsed.success) {
        const { puuid, gameName, tagLine } = parsed.data;
        const names = { gameName: gameName || known.gameName, tagLine: tagLine || known.tagLine };
        return { ok: true, account: { puuid, ...names, region } };
      }
    }
    log.warn("Riot lookup failed", {
      riotStatus: "status" in outcome ? outcome.status : "no answer",
      attempts: attempt + 1,
    });
    return failureOf(outcome);
  }
}

type Outcome =
  | { status: number; retryAfter: number | undefined; body: unknown; retriable: boolean }
  | { retriable: boolean };

async function tryOnce(url: string, key: string, deadline: AbortSignal): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      headers: { "X-Riot-Token": key, Accept: "application/json" },
      signal: AbortSignal.any([deadline, AbortSignal.timeout(TRY_TIMEOUT)]),
    });
    const { status } = response;
    const retryAfter = Number(response.headers.get("Retry-After")) || undefined;
    // A body that isn't JSON comes from a failing Riot server or proxy; it is never shown.
    const body = status === 200 ? await response.json().catch(() => undefined) : await response.body?.cancel();
    return { status, retryAfter, body, retriable: RETRIABLE.has(status) };
  } catch {
    // No connection, or no response in time.
    return { retriable: true };
  }
}

function failureOf(outcome: Outcome): RiotFailure {
  if (!("status" in outcome)) return UNREACHABLE;
  switch (outcome.status) {
    case 400:
    case 415:
      return {
        ok: false,
        status: 400,
        error: "Riot doesn't accept this game name and tag. Check the spelling.",
      };
    case 404:
      return {
        ok: false,
        status: 404,
        error: "Riot has no account with this game name and tag. Check the spelling of both.",
      };
    case 429:
      return {
        ok: false,
        status: 429,
        error: "Riot is busy. Try again in a few seconds.",
        retryAfter: outcome.retryAfter ?? 10,
      };
    case 401:
    case 403:
      // Our key is missing, wrong or expired: the log says so, and the player can only wait.
      return { ...UNREACHABLE, error: "Verification isn't available right now. Please try again later." };
    default:
      return UNREACHABLE;
  }
}
