import { parseArgs } from "node:util";
import { startApp } from "./local/app";
import { build } from "./local/build";
import { stopOnSignal } from "./local/children";
import { isFree } from "./local/ports";
import { signInHints } from "./local/sign-in-hints";
import { WORLDS, type World } from "./worlds";

const USAGE = `npm run preview -- [options]

Builds, then runs the production build in workerd with everything it needs.

  --port PORT          the port that it listens on (8787)
  --world WORLD        its initial content: ${WORLDS.join(", ")} (demo)
  --data DIR           the folder for its data (a temporary one, removed at the end)
  --confirm-email      sign-up waits for the emailed link
  --production-limits  the limits and host rules of production (without it: ten times the limits, any host)
  --no-build           uses the last build as it is

LIBSQL_URL (and LIBSQL_AUTH_TOKEN) name a libSQL server to use instead of a local one.`;

const { port, world, data, confirmEmail, productionLimits, noBuild } = readArguments();
let stop: () => Promise<void> = async () => undefined;
// Registered first, so that a signal at any time stops everything that was started.
stopOnSignal(() => stop());
// Keep running even if the parent process stops reading the output once the site is ready.
process.stdout.on("error", () => undefined);

try {
  if (!(await isFree(port))) throw new Error(`Port ${port} is taken. Choose another with --port.`);
  await build({ noBuild });
  const app = await startApp({
    port,
    world,
    confirmEmail,
    ...(productionLimits && { limitFactor: 1, bindings: { APP_ORIGIN: `http://localhost:${port}` } }),
    ...(data !== undefined && { dir: data }),
    libsqlUrl: process.env.LIBSQL_URL || undefined,
    libsqlAuthToken: process.env.LIBSQL_AUTH_TOKEN || undefined,
    onLog: ({ message }) => process.stdout.write(`${message}\n`),
  });
  stop = app.stop;
  await fetch(`${app.url}/healthz`).then((response) => response.body?.cancel());
  for (const line of signInHints(world, app)) console.log(line);
  console.log(`Emails show at ${app.url}/dev/mailbox.`);
  console.log(`Discord and Riot Sign-On are a stand-in with made-up people, at ${app.oauth.url}.`);
  console.log(`Pushes show at ${app.push.url}, with a line that makes a browser subscribe there.`);
  process.on("SIGUSR2", () => void app.runScheduled().catch((error: unknown) => console.error(error)));
  console.log(`To run the cron job: kill -USR2 ${process.pid}`);
  console.log(
    `Operators' commands: LIBSQL_URL=${app.libsqlUrl} APP_ORIGIN=${app.url} npm run admin -- grant moderator player1@example.com`,
  );
  console.log(`Ready on ${app.url}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

function readArguments(): {
  port: number;
  world: World;
  data: string | undefined;
  confirmEmail: boolean;
  productionLimits: boolean;
  noBuild: boolean;
} {
  try {
    const { values } = parseArgs({
      options: {
        port: { type: "string", default: "8787" },
        world: { type: "string", default: "demo" },
        data: { type: "string" },
        "confirm-email": { type: "boolean", default: false },
        "production-limits": { type: "boolean", default: false },
        "no-build": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`--port ${values.port} is not a port.`);
    const world = WORLDS.find((name) => name === values.world);
    if (!world) throw new Error(`--world ${values.world} is not one of ${WORLDS.join(", ")}.`);
    return {
      port,
      world,
      data: values.data,
      confirmEmail: values["confirm-email"],
      productionLimits: values["production-limits"],
      noBuild: values["no-build"],
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}
