import { createClient } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import * as schema from "../../db/schema";
import { type App, startApp } from "../local/app";
import { findBroken } from "./invariants";
import { makePlan, type Step } from "./plan";
import { type Ending, type Result, send } from "./send";
import { findTarget } from "./target";

/** The number of requests in flight at the same time. */
const CONCURRENCY = 4;
/** The number of requests after which the attacked accounts and sessions are restored. */
const RENEWAL_INTERVAL = 200;
/** The default timeout of a request, in milliseconds. */
const TIMEOUT = 5_000;
/** The time that the last requests have to write to the log, in milliseconds. */
const LOG_DELAY = 500;

/**
 * Matches workerd's log lines about bytes that aren't valid HTTP and never reach the Worker. Cloudflare's network lets
 * no such bytes through.
 */
const PROTOCOL_ERRORS = /kj\/compat\/(http|url)\.c\+\+|Incoming CONNECT on a worker not supported/;

/** A request that went wrong. */
interface Failure {
  /** Its index in the plan; -1 if the request isn't known. */
  index: number;
  what: string;
  why: string;
}

interface Report {
  requests: number;
  /**
   * Statuses from 500 up except 501, stack traces in responses, connections closed without a response, and errors in
   * the log.
   */
  errors: Failure[];
  hangs: Failure[];
  /** The number of requests for each ending. */
  endings: Partial<Record<Ending, number>>;
  slowest: { index: number; what: string; duration: number };
  /** The database constraints that the attack broke, without those that were broken before it. */
  broken: string[];
  /** The number of forms: those that the pages offered, and one for each action. */
  forms: number;
}

interface Options {
  /** The seed of the plan: the same seed makes the same requests. */
  seed: number;
  requests: number;
  /** Sends only the request with this index in the plan. */
  only?: number | undefined;
  /** The timeout of a request, in milliseconds; 5 s by default. */
  timeout?: number;
  /** The hash of the players' password; by default one made with the app's own parameters. */
  passwordHash?: string;
}

/** Sends a plan's requests to the latest build, running in workerd with the world `busy`. Requires `build()`. */
export async function attack(options: Options): Promise<Report> {
  // Rate limits would refuse most requests before they reach their target.
  const app = await startApp({
    ...{ world: "busy", limitFactor: 1_000_000 },
    ...(options.passwordHash && { passwordHash: options.passwordHash }),
  });
  try {
    return await run(app, options);
  } finally {
    await app.stop();
  }
}

async function run(app: App, { seed, requests, only, timeout = TIMEOUT }: Options): Promise<Report> {
  const client = createClient({ url: app.libsqlUrl });
  const db = drizzle(client, { schema });
  const known = new Set(await findBroken(db));
  const target = await findTarget(app, db);
  const plan = makePlan(seed, requests);
  const chosen = [...plan.keys()].filter((index) => only === undefined || index === only);
  const indexes = new Map<string, number>();
  const report: Report = {
    ...{ requests: chosen.length, errors: [], hangs: [], endings: {}, broken: [], forms: target.forms.length },
    slowest: { index: -1, what: "", duration: 0 },
  };
  const judge = (index: number, step: Step, result: Result) => {
    const { what, ending, duration, hasStackTrace, requestId } = result;
    report.endings[ending] = (report.endings[ending] ?? 0) + 1;
    if (requestId) indexes.set(requestId, index);
    if (ending === "hang") report.hangs.push({ index, what, why: `no answer within ${timeout} ms` });
    else if (duration > report.slowest.duration) report.slowest = { index, what, duration };
    const why = hasStackTrace ? "a stack trace in the answer" : findFault(step, result);
    if (why) report.errors.push({ index, what, why });
  };
  const readLog = () => {
    for (const { level, message } of app.logs.splice(0)) {
      if ((level !== "error" && !/"level":"error"/.test(message)) || PROTOCOL_ERRORS.test(message)) continue;
      const index = indexes.get(/"requestId":"([^"]+)"/.exec(message)?.[1] ?? "") ?? -1;
      const why = `log: ${message.slice(0, 600)}`;
      const known = index >= 0 && report.errors.find((error) => error.index === index);
      if (known) known.why += `; ${why}`;
      else report.errors.push({ index, what: "in the log", why });
    }
  };
  for (let first = 0; first < chosen.length; first += RENEWAL_INTERVAL) {
    await target.renew();
    const batch = chosen.slice(first, first + RENEWAL_INTERVAL);
    const work = async () => {
      for (let index = batch.shift(); index !== undefined; index = batch.shift()) {
        const step = plan[index] as Step;
        judge(index, step, await send(target, step, timeout));
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
    readLog();
  }
  await new Promise((resolve) => setTimeout(resolve, LOG_DELAY));
  readLog();
  const ready = await fetch(`${app.url}/readyz`);
  if (!ready.ok) report.errors.push({ index: -1, what: "GET /readyz after the attack", why: `status ${ready.status}` });
  report.broken = (await findBroken(db)).filter((line) => !known.has(line));
  client.close();
  return report;
}

/**
 * Finds the fault in a request's ending. Malformed HTTP never reaches the Worker: workerd closes the connection, or
 * responds by itself, without our request id.
 * @returns a description of the fault, or null if there is none
 */
function findFault(step: Step, { ending, cause, requestId }: Result): string | null {
  if (step.kind === "raw" && requestId === null) return null;
  // workerd itself responds with 501 to methods that it doesn't know.
  if (ending === 501 || (typeof ending === "number" && ending < 500)) return null;
  if (ending === "closed") return `closed without an answer: ${cause}`;
  return typeof ending === "number" ? `status ${ending}` : null;
}
