import * as z from "zod";
import type { ConversationCalls, InboxCalls, PostListCalls, TournamentCalls } from "#party/wire/calls";

/** The binding of one kind of rooms in `wrangler.toml`. */
const rooms = <Calls extends Rpc.DurableObjectBranded>() =>
  z.custom<DurableObjectNamespace<Calls>>(
    (binding) => typeof binding === "object" && binding !== null && "getByName" in binding,
    "isn't a binding of rooms",
  );

/** Cloudflare's email binding in `wrangler.toml`. */
const emailBinding = z.custom<SendEmail>(
  (binding) => typeof (binding as Partial<SendEmail> | null)?.send === "function",
  "isn't a binding that sends email",
);

const bucket = z.custom<R2Bucket>(
  (binding) => typeof binding === "object" && binding !== null && "put" in binding,
  "isn't a bucket",
);

/** One secret, or several separated by commas: the first one signs or encrypts, and all of them verify or decrypt. */
const secrets = z
  .string()
  .transform((value) => value.split(",").map((secret) => secret.trim()))
  .pipe(z.array(z.string().min(32, "each secret needs at least 32 characters")).min(1));

const textOrNone = z
  .string()
  .trim()
  .transform((text) => text || undefined);

/** A string that may be left out or empty. */
const optionalText = textOrNone.optional();

/** An email address that may be left out or empty. */
const optionalAddress = textOrNone.pipe(z.email().optional()).optional();

/** Whether an address consists of an origin, with or without the slash after it. */
const isOrigin = (address: string) => URL.canParse(address) && new URL(address).href === `${new URL(address).origin}/`;

const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** Every setting of the Worker, as `docs/operations.md` explains them. Only this file reads the raw bindings. */
const envSchema = z
  .object({
    /** `https://…` or `libsql://…` of the database (Turso or any libSQL server). */
    LIBSQL_URL: z.string().min(1),
    LIBSQL_AUTH_TOKEN: z.string().optional(),
    /**
     * Signs cookies. During a rotation there are several, separated by commas: the first signs, and all are accepted.
     */
    SESSION_SECRET: secrets,
    /**
     * Encrypts stored values that must be readable again (two-factor secrets, waiting emails). During a rotation there
     * are several, separated by commas.
     */
    ENCRYPTION_KEY: secrets,
    /** If `true`, sign-up starts no session until the emailed link has been opened. */
    REQUIRE_CONFIRMED_EMAIL: flag.default(false),
    /** Riot's account service; `{cluster}` stands for americas, europe or asia. */
    RIOT_API_BASE_URL: z.string().default("https://{cluster}.api.riotgames.com"),
    /** The key for the account service, without which Riot refuses every lookup. */
    RIOT_API_KEY: z.string().default(""),
    /** Discord's OAuth client; without it the site doesn't offer Discord. */
    DISCORD_CLIENT_ID: z.string().optional(),
    DISCORD_CLIENT_SECRET: z.string().optional(),
    DISCORD_BASE_URL: z.url().default("https://discord.com"),
    /** Riot Sign-On's client: with a secret, or with the signed assertion that newer clients get instead. */
    RIOT_CLIENT_ID: z.string().optional(),
    RIOT_CLIENT_SECRET: z.string().optional(),
    RIOT_CLIENT_ASSERTION: z.string().optional(),
    RIOT_AUTH_BASE_URL: z.url().default("https://auth.riotgames.com"),
    /**
     * The URL of an HTTP email provider. Without it, Cloudflare's `send_email` binding is used; with neither, emails
     * stay in the outbox (and show at /dev/mailbox locally).
     */
    EMAIL_API_URL: z.string().optional(),
    EMAIL_API_KEY: z.string().optional(),
    EMAIL: emailBinding.optional(),
    EMAIL_FROM: z.string().default("Lineup <no-reply@lineup.example>"),
    /** Cloudflare Turnstile, for forms that bots could abuse; without keys there is no check. */
    TURNSTILE_SITE_KEY: z.string().optional(),
    TURNSTILE_SECRET_KEY: z.string().optional(),
    TURNSTILE_URL: z.url().default("https://challenges.cloudflare.com"),
    /**
     * The site's only origin: links use it, and requests to any other origin are redirected to it. If it is unset, the
     * site answers at any origin, and links use the origin of the request.
     */
    APP_ORIGIN: z
      .url()
      .refine(isOrigin, "must be an origin such as https://lineup.gg, without a path")
      .transform((address) => new URL(address).origin)
      .optional(),
    /** The person or company that runs this site, and their postal address, on one line or several. */
    OPERATOR_NAME: optionalText,
    OPERATOR_ADDRESS: optionalText,
    /** The email address for players and authorities. */
    CONTACT_EMAIL: optionalAddress,
    /** The email address for security researchers; by default `CONTACT_EMAIL`. */
    SECURITY_EMAIL: optionalAddress,
    /** The keys that sign pushes (RFC 8292), from `npm run keys`; without them the site doesn't offer push. */
    VAPID_PUBLIC_KEY: optionalText,
    VAPID_PRIVATE_KEY: optionalText,
    /** The origin of a push service besides those of browsers: the local stand-in. */
    PUSH_SERVICE_URL: z.url().optional(),
    /**
     * For a developer's machine only: enables the pages under /dev, makes cookies and security headers fit http and hot
     * reload, and skips the checks below that mention it.
     */
    LOCAL_TOOLS: flag.default(false),
    /** Multiplies every rate limit. */
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
    CONVERSATION_ROOMS: rooms<ConversationCalls>(),
    INBOX_ROOMS: rooms<InboxCalls>(),
    TOURNAMENT_ROOMS: rooms<TournamentCalls>(),
    POST_LIST_ROOMS: rooms<PostListCalls>(),
    /** The bucket of players' pictures; without it pictures can't be uploaded. */
    AVATARS: bucket.optional(),
    /** Overrides individual limits: `signIn=20/60,post=30/3600` (times per seconds). */
    RATE_LIMITS: z
      .string()
      .regex(/^(\w+=\d+\/\d+(,|$))*$/)
      .default(""),
  })
  .refine((env) => env.LOCAL_TOOLS || !env.REQUIRE_CONFIRMED_EMAIL || env.EMAIL_API_URL || env.EMAIL, {
    path: ["EMAIL_API_URL"],
    message: "with REQUIRE_CONFIRMED_EMAIL nobody can sign in unless email can be sent",
  })
  .refine((env) => env.LOCAL_TOOLS || env.APP_ORIGIN || !(env.EMAIL_API_URL || env.EMAIL), {
    path: ["APP_ORIGIN"],
    message: "required if email is sent: without it, requests could decide where links in emails lead",
  })
  .refine((env) => env.LOCAL_TOOLS || !env.APP_ORIGIN || env.APP_ORIGIN.startsWith("https:"), {
    path: ["APP_ORIGIN"],
    message: "must begin with https://, because browsers accept the site's cookies only over https",
  })
  .refine((env) => !env.DISCORD_CLIENT_ID || env.DISCORD_CLIENT_SECRET, {
    path: ["DISCORD_CLIENT_SECRET"],
    message: "required with DISCORD_CLIENT_ID",
  })
  .refine((env) => !env.RIOT_CLIENT_ID || env.RIOT_CLIENT_SECRET || env.RIOT_CLIENT_ASSERTION, {
    path: ["RIOT_CLIENT_SECRET"],
    message: "this or RIOT_CLIENT_ASSERTION is required with RIOT_CLIENT_ID",
  })
  .refine((env) => Boolean(env.TURNSTILE_SITE_KEY) === Boolean(env.TURNSTILE_SECRET_KEY), {
    path: ["TURNSTILE_SECRET_KEY"],
    message: "Turnstile needs both of its keys",
  })
  .refine((env) => Boolean(env.VAPID_PUBLIC_KEY) === Boolean(env.VAPID_PRIVATE_KEY), {
    path: ["VAPID_PRIVATE_KEY"],
    message: "push needs both of its keys",
  })
  .refine((env) => env.LOCAL_TOOLS || !env.VAPID_PUBLIC_KEY || env.CONTACT_EMAIL || env.APP_ORIGIN, {
    path: ["CONTACT_EMAIL"],
    message: "this or APP_ORIGIN is required with push, because push services want to know whom to write to",
  });

export type Env = z.output<typeof envSchema>;

/** Lists the origins of the configured identity providers. */
export function signInOrigins(env: Env): string[] {
  return [
    ...(env.DISCORD_CLIENT_ID ? [env.DISCORD_BASE_URL] : []),
    ...(env.RIOT_CLIENT_ID ? [env.RIOT_AUTH_BASE_URL] : []),
  ].map((address) => new URL(address).origin);
}

const parsed = new WeakMap<object, Env>();

/**
 * Reads the Worker's bindings. The result is cached for as long as the bindings live.
 * @throws Error naming every setting that is missing or wrong (never its value)
 */
export function parseEnv(bindings: object): Env {
  const known = parsed.get(bindings);
  if (known) return known;
  const result = envSchema.safeParse(bindings);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    throw new Error(`The Worker's settings are wrong. ${problems.join("; ")}`);
  }
  parsed.set(bindings, result.data);
  return result.data;
}
