import * as z from "zod";
import type { ConversationCalls, InboxCalls } from "../../party/calls";

/** The rooms of one kind, bound in `wrangler.toml`. */
const rooms = <Calls extends Rpc.DurableObjectBranded>() =>
  z.custom<DurableObjectNamespace<Calls>>(
    (binding) => typeof binding === "object" && binding !== null && "getByName" in binding,
    "is no binding of rooms",
  );

const bucket = z.custom<R2Bucket>(
  (binding) => typeof binding === "object" && binding !== null && "put" in binding,
  "is no bucket",
);

/** One secret or several, separated by commas: the first is used for what is new, all for what is there. */
const secrets = z
  .string()
  .transform((value) => value.split(",").map((secret) => secret.trim()))
  .pipe(z.array(z.string().min(32, "each secret needs at least 32 characters")).min(1));

const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** Every setting of the Worker, as `docs/operations.md` explains them. Only this file reads the raw bindings. */
const envSchema = z
  .object({
    /** `https://…` or `libsql://…` of the database (Turso or any libSQL server). */
    LIBSQL_URL: z.string().min(1),
    LIBSQL_AUTH_TOKEN: z.string().optional(),
    /** Signs cookies. Several, separated by commas, while one is being replaced: the first signs, all are accepted. */
    SESSION_SECRET: secrets,
    /** Encrypts what must be read again (two-factor secrets). Several, separated by commas, while one is being replaced. */
    ENCRYPTION_KEY: secrets,
    /** With `true`, sign-up yields no session until the e-mailed link has been opened. */
    REQUIRE_CONFIRMED_EMAIL: flag.default(false),
    /** Riot's account service; `{cluster}` stands for americas, europe or asia. */
    RIOT_API_BASE_URL: z.string().default("https://{cluster}.api.riotgames.com"),
    RIOT_API_KEY: z.string().default(""),
    /** An HTTP e-mail provider; with none, e-mails stay in the outbox (and show at /dev/mailbox locally). */
    EMAIL_API_URL: z.string().optional(),
    EMAIL_API_KEY: z.string().optional(),
    EMAIL_FROM: z.string().default("Lineup <no-reply@lineup.example>"),
    /** Where the links of e-mails and shared posts lead; by default wherever the request came in. */
    APP_ORIGIN: z.url().optional(),
    /** Switches on what only a local machine may show: /dev/mailbox. */
    LOCAL_TOOLS: flag.default(false),
    /** Multiplies every rate limit. */
    RATE_LIMIT_FACTOR: z.coerce.number().positive().default(1),
    CONVERSATION_ROOMS: rooms<ConversationCalls>(),
    INBOX_ROOMS: rooms<InboxCalls>(),
    /** Where players' pictures are; with none, nobody can upload one. */
    AVATARS: bucket.optional(),
    /** Replaces single limits: `signIn=20/60,post=30/3600` (times per seconds). */
    RATE_LIMITS: z
      .string()
      .regex(/^(\w+=\d+\/\d+(,|$))*$/)
      .default(""),
  })
  .refine((env) => env.LOCAL_TOOLS || !env.REQUIRE_CONFIRMED_EMAIL || env.EMAIL_API_URL, {
    path: ["EMAIL_API_URL"],
    message: "with REQUIRE_CONFIRMED_EMAIL nobody can sign in unless e-mail can be sent",
  });

export type Env = z.output<typeof envSchema>;

const parsed = new WeakMap<object, Env>();

/**
 * Reads the Worker's bindings; the result is kept for as long as the bindings live.
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
