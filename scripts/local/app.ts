import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Miniflare, type WorkerOptions } from "miniflare";
import { migrate } from "../../db/migrate";
import { type SeedOptions, seed, type World } from "../worlds";
import { listRiotIds } from "../worlds/players";
import { ROOT, readWorkerOptions, WORKER } from "./build";
import { type BoundEmail, EmailBindingLog } from "./email-binding";
import { type EmailProvider, startEmailProvider } from "./email-provider";
import { type OAuthStandIn, startOAuthStandIn } from "./oauth-stand-in";
import { freePort } from "./ports";
import { type RiotStandIn, startRiotStandIn } from "./riot-stand-in";
import { type Sqld, startSqld } from "./sqld";
import { startTurnstileStandIn, type TurnstileStandIn } from "./turnstile-stand-in";

/** Signs the cookies of local sites and encrypts what they keep; a real site has two of its own. */
export const LOCAL_SECRET = "only-for-this-machine-only-for-this-machine";
/** A preview may run for days: only so many log lines stay in memory. */
const LOGS_KEPT = 10_000;

export interface AppOptions {
  /** What the database holds at first. */
  world?: World;
  /** For the world `large`: fewer players or posts. */
  size?: SeedOptions["size"];
  /** The moment that the world's times count from. */
  now?: Date;
  /** Where database, rooms and files stay; a temporary folder by default, removed on `stop`. */
  dir?: string;
  /** A free one by default. */
  port?: number;
  /** A libSQL server to use instead of one of our own. */
  libsqlUrl?: string | undefined;
  libsqlAuthToken?: string | undefined;
  /** REQUIRE_CONFIRMED_EMAIL */
  confirmEmail?: boolean;
  /** How many times the default rate limits are; 10 by default. */
  limitFactor?: number;
  /** Sends e-mail through a local provider instead of keeping it in the outbox for /dev/mailbox. */
  emailProvider?: boolean;
  /** Sends e-mail through Miniflare's `send_email` binding instead. */
  emailBinding?: boolean;
  /** Asks whether visitors are human, at a stand-in for Turnstile. */
  humanCheck?: boolean;
  /** Further settings of the Worker, or replacements. */
  bindings?: Record<string, string>;
  /** Takes each line that the Worker logs. */
  onLog?: (line: LogLine) => void;
}

export interface LogLine {
  level: string;
  message: string;
}

export interface App {
  /** `http://localhost:PORT` */
  url: string;
  libsqlUrl: string;
  libsqlAuthToken: string | undefined;
  /** The database server, when it is ours. */
  sqld: Sqld | undefined;
  riot: RiotStandIn;
  /** Discord and Riot Sign-On, with people to choose from. */
  oauth: OAuthStandIn;
  /** With `emailProvider`. */
  emailProvider: EmailProvider | undefined;
  /** With `emailBinding`: what went through it, in order. */
  boundEmails: readonly BoundEmail[];
  /** With `humanCheck`. */
  turnstile: TurnstileStandIn | undefined;
  /** Whether the world was filled in now (not when the folder or the database already held players). */
  seeded: boolean;
  /** What the Worker has logged lately. Each `message` of ours is a JSON object. */
  logs: LogLine[];
  /** Calls the cron's handler and waits for its work: locally it never fires by itself. */
  runScheduled(): Promise<void>;
  /** Calls the Worker without a socket in between. */
  miniflare: Miniflare;
  stop(): Promise<void>;
}

/**
 * Starts the production build in workerd with everything around it: its own libSQL (migrated and seeded), the Riot
 * stand-in, static files as Cloudflare serves them, rooms and files in one folder. Needs `build()` first.
 */
export async function startApp(options: AppOptions = {}): Promise<App> {
  const cleanUp: (() => Promise<unknown> | unknown)[] = [];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    const dir = options.dir ?? mkdtempSync(join(tmpdir(), "lineup-"));
    mkdirSync(dir, { recursive: true });

    const port = options.port ?? (await freePort());
    const oauth = await startOAuthStandIn({ origins: [`http://localhost:${port}`, `http://127.0.0.1:${port}`] });
    const [sqld, riot, emailProvider, turnstile] = await Promise.all([
      options.libsqlUrl ? undefined : startSqld({ dir: join(dir, "libsql") }),
      startRiotStandIn(oauth, listRiotIds()),
      options.emailProvider ? startEmailProvider() : undefined,
      options.humanCheck ? startTurnstileStandIn() : undefined,
    ]);
    if (!options.dir) {
      const remove = () => rmSync(dir, { recursive: true, force: true });
      // A process that ends before the app is complete takes the folder along, too.
      process.once("exit", remove);
      cleanUp.push(remove, () => process.off("exit", remove));
    }
    cleanUp.push(
      () => sqld?.stop(),
      () => riot.stop(),
      () => oauth.stop(),
      () => emailProvider?.stop(),
      () => turnstile?.stop(),
    );
    const libsqlUrl = options.libsqlUrl ?? (sqld as Sqld).url;
    const libsqlAuthToken = options.libsqlAuthToken;
    const prepare = async () => {
      await migrate(libsqlUrl, libsqlAuthToken);
      return seed(libsqlUrl, {
        world: options.world ?? "empty",
        authToken: libsqlAuthToken,
        ...(options.now && { now: options.now }),
        ...(options.size && { size: options.size }),
      });
    };

    const logs: LogLine[] = [];
    const { bindings, ...workerOptions } = readWorkerOptions() as WorkerOptions & { bindings: Record<string, unknown> };
    const log = new EmailBindingLog();
    const restoreSignals = keepSignals();
    const miniflare = new Miniflare({
      ...workerOptions,
      name: "lineup",
      rootPath: ROOT,
      modules: [{ type: "ESModule", path: WORKER }],
      bindings: {
        ...bindings,
        LIBSQL_URL: libsqlUrl,
        ...(libsqlAuthToken && { LIBSQL_AUTH_TOKEN: libsqlAuthToken }),
        SESSION_SECRET: LOCAL_SECRET,
        ENCRYPTION_KEY: LOCAL_SECRET,
        REQUIRE_CONFIRMED_EMAIL: String(options.confirmEmail ?? false),
        RIOT_API_BASE_URL: riot.baseUrl,
        RIOT_API_KEY: "local-riot-key",
        ...oauth.bindings,
        LOCAL_TOOLS: "true",
        RATE_LIMIT_FACTOR: String(options.limitFactor ?? 10),
        ...(emailProvider && { EMAIL_API_URL: emailProvider.apiUrl, EMAIL_API_KEY: emailProvider.apiKey }),
        ...(turnstile && {
          TURNSTILE_SITE_KEY: turnstile.siteKey,
          TURNSTILE_SECRET_KEY: turnstile.secretKey,
          TURNSTILE_URL: turnstile.url,
        }),
        ...options.bindings,
      },
      host: "127.0.0.1",
      port,
      defaultPersistRoot: join(dir, "miniflare"),
      // Cloudflare tells where a visitor is; here the time zone is this machine's, and the place is made up.
      cf: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, city: "Berlin", country: "DE" },
      ...(options.emailBinding && { email: { send_email: [{ name: "EMAIL" }] } }),
      log,
      logRequests: false,
      structuredWorkerdLogs: true,
      handleStructuredLogs: ({ level, message }: LogLine) => {
        const line = { level, message };
        if (logs.push(line) > LOGS_KEPT) logs.splice(0, LOGS_KEPT / 2);
        options.onLog?.(line);
      },
    });
    restoreSignals();
    cleanUp.push(() => miniflare.dispose());
    const [seeded] = await Promise.all([prepare(), miniflare.ready]);

    return {
      url: `http://localhost:${port}`,
      libsqlUrl,
      libsqlAuthToken,
      sqld,
      riot,
      oauth,
      emailProvider,
      boundEmails: log.sent,
      turnstile,
      seeded,
      logs,
      miniflare,
      stop,
      async runScheduled() {
        const worker = await miniflare.getWorker();
        await worker.scheduled({ scheduledTime: new Date(), cron: "*/5 * * * *" });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Miniflare ends the process by itself on a signal, at once. Where someone already listens for the signal, ending in
 * order is their business.
 * @returns takes away the listeners that were added since
 */
function keepSignals(): () => void {
  const before = (["SIGINT", "SIGTERM"] as const).map((name) => [name, process.listeners(name)] as const);
  return () => {
    for (const [name, known] of before) {
      if (known.length === 0) continue;
      for (const listener of process.listeners(name)) if (!known.includes(listener)) process.off(name, listener);
    }
  };
}
