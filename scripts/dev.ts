import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseEnv } from "node:util";
import { migrate } from "../db/migrate";
import { LOCAL_SECRET } from "./local/app";
import { bin, forgetBuild, ROOT } from "./local/build";
import { startChild, stopOnSignal } from "./local/children";
import { startOAuthStandIn } from "./local/oauth-stand-in";
import { freePort } from "./local/ports";
import { startRiotStandIn } from "./local/riot-stand-in";
import { startSqld } from "./local/sqld";
import { PASSWORD, seed } from "./worlds";
import { listRiotIds } from "./worlds/players";

/**
 * `npm run dev`: the app in workerd with hot reload, and everything it needs: a libSQL server on `.data/`, migrations,
 * the demo world on the first run, and stand-ins for Riot and Discord. Your own settings go into `.dev.vars` (or the
 * environment): `LIBSQL_URL` replaces the local server, `RIOT_API_KEY` the stand-in.
 */
const DATA = join(ROOT, ".data");
const OWN_SETTINGS = join(ROOT, ".dev.vars");

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
stopOnSignal(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

try {
  await start();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

async function start(): Promise<void> {
  mkdirSync(DATA, { recursive: true });
  const own = existsSync(OWN_SETTINGS) ? parseEnv(readFileSync(OWN_SETTINGS, "utf8")) : {};
  const setting = (name: string) => own[name] || process.env[name];

  let libsqlUrl = setting("LIBSQL_URL");
  if (!libsqlUrl) {
    const sqld = await startSqld({ dir: join(DATA, "libsql") });
    cleanUp.push(sqld.stop);
    libsqlUrl = sqld.url;
  }
  const libsqlAuthToken = setting("LIBSQL_AUTH_TOKEN");
  await migrate(libsqlUrl, libsqlAuthToken);
  await seed(libsqlUrl, { world: "demo", authToken: libsqlAuthToken });

  const port = await freePort(8788);
  // With your own client or key, sign-ins use the real Discord and Riot.
  const isReal = Boolean(own.DISCORD_CLIENT_ID || own.RIOT_CLIENT_ID || setting("RIOT_API_KEY"));
  const origins = [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const oauth = isReal ? undefined : await startOAuthStandIn({ origins });
  if (oauth) cleanUp.push(oauth.stop);

  const riotKey = setting("RIOT_API_KEY");
  const riot = riotKey ? undefined : await startRiotStandIn(oauth, listRiotIds());
  if (riot) cleanUp.push(riot.stop);

  const settings = {
    SESSION_SECRET: LOCAL_SECRET,
    ENCRYPTION_KEY: LOCAL_SECRET,
    REQUIRE_CONFIRMED_EMAIL: "false",
    LOCAL_TOOLS: "true",
    RATE_LIMIT_FACTOR: "10",
    LIBSQL_URL: libsqlUrl,
    LIBSQL_AUTH_TOKEN: libsqlAuthToken,
    RIOT_API_KEY: riotKey ?? "local-riot-key",
    RIOT_API_BASE_URL: riot?.baseUrl ?? setting("RIOT_API_BASE_URL"),
    ...oauth?.bindings,
  };
  const settingsFile = join(DATA, "dev.vars");
  const lines = Object.entries(settings).flatMap(([name, value]) =>
    value ? [`${name}=${JSON.stringify(value)}`] : [],
  );
  writeFileSync(settingsFile, `${lines.join("\n")}\n`, { mode: 0o600 });
  // The file names this run's database for `npm run admin`.
  cleanUp.push(() => rmSync(settingsFile, { force: true }));

  const url = `http://localhost:${port}`;
  // Remix splits the command at spaces, so its paths are relative.
  const wrangler = [
    `wrangler dev --ip 127.0.0.1 --port ${port} --inspector-port ${await freePort()}`,
    `--persist-to ${relative(ROOT, join(DATA, "wrangler"))} --env-file ${relative(ROOT, settingsFile)}`,
    existsSync(OWN_SETTINGS) ? `--env-file ${relative(ROOT, OWN_SETTINGS)}` : "",
  ];
  // The development build replaces the production build.
  forgetBuild();
  const remix = startChild(
    process.execPath,
    [bin("@remix-run/dev", "remix"), "dev", "--manual", "-c", wrangler.join(" ").trim()],
    {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NODE_ENV: "development", WRANGLER_SEND_METRICS: "false" },
    },
  );
  let stopping = false;
  cleanUp.push(() => {
    stopping = true;
    return remix.stop();
  });
  void remix.exited.then((code) => {
    if (!stopping) process.exit(code || 1);
  });

  await waitForAnswer(url);
  console.log(
    [
      "",
      `  Lineup is at ${url}`,
      `  Sign in as player1@example.com, password ${PASSWORD} (there are twelve: player2, player3 …)`,
      `  Emails show at ${url}/dev/mailbox`,
      riot
        ? "  Riot IDs are looked up at a stand-in, because there is no RIOT_API_KEY: names that begin with Missing, Limited, Broken, Slow or Garbled fail"
        : "  Riot IDs are looked up at Riot",
      oauth
        ? `  Discord and Riot Sign-On are a stand-in with made-up people, at ${oauth.url}: to use your own clients, set DISCORD_CLIENT_ID and the like in .dev.vars`
        : "  Discord and Riot Sign-On are the ones that the settings name",
      "",
    ].join("\n"),
  );
}

/** Waits until the app responds; the first build takes a few seconds. */
async function waitForAnswer(url: string): Promise<void> {
  for (;;) {
    const ready = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
