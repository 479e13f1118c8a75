import { sql } from "drizzle-orm";
import { rateLimits } from "#db/schema";
import type { RequestContext } from "./context";
import type { Env } from "./env";

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Every rate limit of the product: at most `times` in `seconds`, per address or per account. */
export const RATE_LIMITS = {
  verification: { times: 20, seconds: MINUTE },
  verificationPerAccount: { times: 20, seconds: MINUTE },
  signIn: { times: 10, seconds: MINUTE },
  signInPerAccount: { times: 20, seconds: 15 * MINUTE },
  signUp: { times: 10, seconds: HOUR },
  /** Confirmation links sent again, per account. */
  confirmationEmail: { times: 3, seconds: HOUR },
  post: { times: 10, seconds: HOUR },
  /** Edits, closings, bumps and deletions of posts. */
  postChange: { times: 60, seconds: HOUR },
} as const satisfies Record<string, { times: number; seconds: number }>;

export type RateLimitRule = keyof typeof RATE_LIMITS;

export type RateLimitVerdict = { allowed: true } | { allowed: false; retryAfter: number };

/** The rule as configured: the table's, or its replacement in `RATE_LIMITS`, times `RATE_LIMIT_FACTOR`. */
export function configuredLimit(env: Pick<Env, "RATE_LIMITS" | "RATE_LIMIT_FACTOR">, rule: RateLimitRule) {
  const replaced = env.RATE_LIMITS.match(new RegExp(`(?:^|,)${rule}=(\\d+)/(\\d+)`));
  const { times, seconds } = replaced
    ? { times: Number(replaced[1]), seconds: Number(replaced[2]) }
    : RATE_LIMITS[rule];
  return { times: Math.round(times * env.RATE_LIMIT_FACTOR), seconds };
}

/**
 * Counts one use of a rule and says whether it is still within it. One upsert, so it rides along with whatever else
 * the same tick asks of the database.
 * @param subject what is counted: an address or a user id
 * @returns the verdict; `retryAfter` in whole seconds
 */
export async function countUse(
  context: RequestContext,
  rule: RateLimitRule,
  subject: string,
): Promise<RateLimitVerdict> {
  const { times, seconds } = configuredLimit(context.env, rule);
  const now = context.now.getTime();
  const row = await context.db
    .insert(rateLimits)
    .values({ key: `${rule}:${subject}`, count: 1, windowEndsAt: new Date(now + seconds * 1000) })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        count: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${now} THEN 1 ELSE ${rateLimits.count} + 1 END`,
        windowEndsAt: sql`CASE WHEN ${rateLimits.windowEndsAt} <= ${now} THEN excluded.window_ends_at ELSE ${rateLimits.windowEndsAt} END`,
      },
    })
    .returning({ count: rateLimits.count, windowEndsAt: rateLimits.windowEndsAt })
    .get();
  if (row.count <= times) return { allowed: true };
  return { allowed: false, retryAfter: Math.max(1, Math.ceil((row.windowEndsAt.getTime() - now) / 1000)) };
}

/** What to tell someone who has gone over a limit. */
export function tooManyTries(retryAfter: number) {
  const wait = retryAfter < 90 ? `${retryAfter} seconds` : `${Math.ceil(retryAfter / 60)} minutes`;
  const error = `That was a bit much in a short time. Try again in ${wait}.`;
  return { ok: false, status: 429, error, retryAfter } as const;
}
