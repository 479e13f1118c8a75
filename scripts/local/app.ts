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
import { type PushStandIn, startPushStandIn } from "./push-stand-in";
import { type RiotStandIn, startRiotStandIn } from "./riot-stand-in";
import { type Sqld, startSqld } from "./sqld";
import { startTurnstileStandIn, type TurnstileStandIn } from "./turnstile-stand-in";

/** Signs the cookies of local sites and encrypts their secrets; a real site has two secrets of its own. */
export const LOCAL_SECRET = "only-for-this-machine-only-for-this-machine";
/** The most log lines kept in memory, because a preview may run for days. */
const LOGS_KEPT = 10_000;

export interface AppOptions {
  /** The initial content of the database. */
  world?: World;
  /** For the world `large`: fewer players or posts. */
  size?: SeedOptions["size"];
  /** The time that the world's dates are relative to. */
  now?: Date;
  /** The password hash that all players of the world get; by default one made with the app's own parameters. */
  passwordHash?: string;
  /** The folder of database, rooms and files; by default a temporary one that `stop` removes. */
  dir?: string;
  /** The port; a free one by default. */
  port?: number;
  /** A libSQL server to use instead of starting one. */
  libsqlUrl?: string | undefined;
  libsqlAuthToken?: string | undefined;
  /** Sets REQUIRE_CONFIRMED_EMAIL. */
  confirmEmail?: boolean;
  /** Multiplies the default rate limits; 10 by default. */
  limitFactor?: number;
  /** Sends email through a local provider instead of keeping it in the outbox for /dev/mailbox. */
  emailProvider?: boolean;
  /** Sends email through Miniflare's `send_email` binding instead. */
  emailBinding?: boolean;
  /** Enables the human check, with a stand-in for Turnstile. */
  humanCheck?: boolean;
  /** Further settings of the Worker, which override the others. */
  bindings?: Record<string, string>;
  /** A second Worker in the same workerd, which answers requests for this host name. For benchmarks. */
  beside?: { host: string; file: string };
  /** Receives each line that the Worker logs. */
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
  /** The database server, if it was started here. */
  sqld: Sqld | undefined;
  riot: RiotStandIn;
  /** Simulates Discord and Riot Sign-On, with people to choose from. */
  oauth: OAuthStandIn;
  /** Simulates browsers' push services. */
  push: PushStandIn;
  /** Set with `emailProvider`. */
  emailProvider: EmailProvider | undefined;
  /** The emails sent through the binding, in order; filled with `emailBinding`. */
  boundEmails: readonly BoundEmail[];
  /** Set with `humanCheck`. */
  turnstile: TurnstileStandIn | undefined;
  /** Whether this start filled the database with the world. False for `empty`, or if there already were players. */
  seeded: boolean;
  /** The Worker's latest log lines. Each `message` of ours is a JSON object. */
  logs: LogLine[];
  /** Runs the cron job and waits for it; locally, it never runs by itself. */
  runScheduled(): Promise<void>;
  /** Miniflare itself, whose `dispatchFetch` calls the Worker directly, without a socket. */
  miniflare: Miniflare;
  stop(): Promise<void>;
}

/**
 * Starts the production build in workerd with everything it needs: a libSQL server (migrated and seeded), the Riot
 * stand-in, static files as Cloudflare serves them, and rooms and files in one folder. Requires `build()`.
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
    const [sqld, riot, push, emailProvider, turnstile] = await Promise.all([
      options.libsqlUrl ? undefined : startSqld({ dir: join(dir, "libsql") }),
      startRiotStandIn(oauth, listRiotIds()),
      startPushStandIn(),
      options.emailProvider ? startEmailProvider() : undefined,
      options.humanCheck ? startTurnstileStandIn() : undefined,
    ]);
    if (!options.dir) {
      const remove = () => rmSync(dir, { recursive: true, force: true });
      // Also removes the folder if the process ends without `stop`.
      process.once("exit", remove);
      cleanUp.push(remove, () => process.off("exit", remove));
    }
    cleanUp.push(
      () => sqld?.stop(),
      () => riot.stop(),
      () => oauth.stop(),
      () => push.stop(),
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
        passwordHash: options.passwordHash,
        ...(options.now && { now: options.now }),
        ...(options.size && { size: options.size }),
      });
    };

    const logs: LogLine[] = [];
    const { bindings, ...workerOptions } = readWorkerOptions() as WorkerOptions & { bindings: Record<string, unknown> };
    const log = new EmailBindingLog();
    const restoreSignals = rememberSignalListeners();
    const worker = {
      ...workerOptions,
      name: "lineup",
      modules: [{ type: "ESModule" as const, path: WORKER }],
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
        ...push.bindings,
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
      ...(options.emailBinding && { email: { send_email: [{ name: "EMAIL" }] } }),
    };
    const { compatibilityDate, compatibilityFlags, assets } = workerOptions as WorkerOptions & { assets?: object };
    const beside = options.beside && {
      name: "beside",
      modules: [{ type: "ESModule" as const, path: options.beside.file }],
      routes: [`${options.beside.host}/*`],
      ...(compatibilityDate && { compatibilityDate }),
      ...(compatibilityFlags && { compatibilityFlags }),
      // Both Workers are behind the same router of static files.
      ...(assets && { assets }),
    };
    const miniflare = new Miniflare({
      rootPath: ROOT,
      workers: beside ? [worker, beside] : [worker],
      host: "127.0.0.1",
      port,
      defaultPersistRoot: join(dir, "miniflare"),
      // Cloudflare reports a visitor's location. Here the time zone is this machine's, and the city is made up.
      cf: { timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, city: "Berlin", country: "DE" },
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
      push,
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
 * Remembers the listeners of SIGINT and SIGTERM. Call it before Miniflare adds its own, which end the process
 * immediately.
 * @returns a function that removes the listeners added since then, from each signal that already had one
 */
function rememberSignalListeners(): () => void {
  const before = (["SIGINT", "SIGTERM"] as const).map((name) => [name, process.listeners(name)] as const);
  return () => {
    for (const [name, known] of before) {
      if (known.length === 0) continue;
      for (const listener of process.listeners(name)) if (!known.includes(listener)) process.off(name, listener);
    }
  };
}
