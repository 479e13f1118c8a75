import * as z from "zod";
import type { RequestContext } from "../context";
import type { Env } from "../env";
import { tooManyTries } from "../limits/refusal";
import { countUse } from "../limits/uses.server";
import { HUMAN_TOKEN_FIELD, type HumanCheckOffer, type HumanCheckPurpose } from "./human-check";

const TIMEOUT = 5_000;
/** Turnstile's own limit. */
const MAX_TOKEN_LENGTH = 2_048;
/** Turnstile's error codes for a failure to judge a token, as opposed to a bad token. */
const NOT_JUDGED = ["missing-input-secret", "invalid-input-secret", "internal-error"];

/** https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
const verdictSchema = z.object({
  success: z.boolean(),
  action: z.string().optional(),
  "error-codes": z.array(z.string()).default([]),
});

/** Why a form was refused. */
export interface HumanCheckRefusal {
  ok: false;
  status: 400 | 429;
  error: string;
  retryAfter?: number;
}

/**
 * Returns the data that a form needs to offer the check, or null if none is configured. Called by the loader of the
 * form's page.
 */
export function offerHumanCheck({ env }: Pick<RequestContext, "env">): HumanCheckOffer | null {
  if (!env.TURNSTILE_SITE_KEY) return null;
  const script = new URL("/turnstile/v0/api.js?render=explicit", env.TURNSTILE_URL).href;
  return { siteKey: env.TURNSTILE_SITE_KEY, script };
}

/** Returns the origin of the check for the Content-Security-Policy; null if none is configured. */
export const humanCheckOrigin = (env: Env): string | null =>
  env.TURNSTILE_SITE_KEY ? new URL(env.TURNSTILE_URL).origin : null;

/**
 * Checks whether a form may come from a person. A valid token passes; an invalid, used or foreign one is refused.
 * Without a token (JavaScript is off, or the check is blocked), or while Turnstile can't judge tokens, a few forms an
 * hour pass per IP address: enough for players, too few for bots. If no check is configured, every form passes.
 * @returns null, or the refusal
 */
export async function checkHuman(
  context: RequestContext,
  form: FormData,
  purpose: HumanCheckPurpose,
): Promise<HumanCheckRefusal | null> {
  if (!context.env.TURNSTILE_SECRET_KEY) return null;
  const token = String(form.get(HUMAN_TOKEN_FIELD) ?? "");
  const verdict = token ? await judge(context, token, purpose) : "unknown";
  if (verdict === "good") return null;
  if (verdict === "bad") {
    return {
      ok: false,
      status: 400,
      error: "The check that you're human has expired. Send the form again.",
    };
  }
  const limit = await countUse(context, "withoutHumanCheck", context.ip);
  return limit.allowed
    ? null
    : tooManyTries(
        limit.retryAfter,
        "We couldn't check that you're human. That needs a browser with JavaScript turned on.",
      );
}

async function judge(
  { env, log }: RequestContext,
  token: string,
  purpose: HumanCheckPurpose,
): Promise<"good" | "bad" | "unknown"> {
  if (token.length > MAX_TOKEN_LENGTH) return "bad";
  try {
    const response = await fetch(new URL("/turnstile/v0/siteverify", env.TURNSTILE_URL), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ secret: env.TURNSTILE_SECRET_KEY, response: token }),
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { success, action, "error-codes": codes } = verdictSchema.parse(await response.json());
    if (success) return action === undefined || action === purpose ? "good" : "bad";
    if (!codes.some((code) => NOT_JUDGED.includes(code))) return "bad";
    log.error("Turnstile can't judge tokens", undefined, { codes: codes.join(",").slice(0, 200) });
  } catch (error) {
    log.warn("Turnstile did not answer", { reason: error instanceof Error ? error.name : "?" });
  }
  return "unknown";
}
