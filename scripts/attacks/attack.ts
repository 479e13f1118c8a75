import { createClient } from "@libsql/client/http";
import { drizzle } from "drizzle-orm/libsql/http";
import * as schema from "../../db/schema";
import { type App, startApp } from "../local/app";
import { findBroken } from "./invariants";
import { makePlan, type Step } from "./plan";
import { type Ending, type Result, send } from "./send";
import { findTarget } from "./target";

/** The requests under way at once. */
const AT_ONCE = 4;
/** After this many requests the attacked accounts and sessions are brought back. */
const RENEWED_EVERY = 200;
/** How long an answer may take, in milliseconds. */
const PATIENCE = 5_000;
/** How long the last requests may still write to the log, in milliseconds. */
const LAST_WORDS = 500;

/**
 * Matches the log lines of workerd about bytes that are no HTTP and reach no Worker. Cloudflare's network lets none of
 * them through.
 */
const BEFORE_THE_WORKER = /kj\/compat\/(http|url)\.c\+\+|Incoming CONNECT on a worker not supported/;

/** A request that went wrong. */
interface Failure {
  /** Its index in the plan; -1 if nothing tells which request it was. */
  index: number;
  what: string;
  why: string;
}

interface Report {
  requests: number;
  /** Statuses from 500 on, stack traces in answers, connections closed without an answer, and errors in the log. */
  errors: Failure[];
  hangs: Failure[];
  /** The number of requests by how they ended. */
  endings: Partial<Record<Ending, number>>;
  slowest: { index: number; what: string; duration: number };
  /** Broken constraints of the database after the attack, without those of the world itself. */
  broken: string[];
  /** The number of forms that the pages offered. */
  forms: number;
}

interface Options {
  /** Fixes the plan. */
  seed: number;
  requests: number;
  /** Sends only the request with this index in the plan. */
  only?: number | undefined;
  /** How long an answer may take, in milliseconds; 5 s by default. */
  patience?: number;
  /** The hash of the players' password; by default one made with the app's own parameters. */
  passwordHash?: string;
}

/** Attacks the last build, in workerd with the world `busy`, by a plan. Requires `build()`. */
export async function attack(options: Options): Promise<Report> {
  // Limits would refuse most requests before they reach what they aim at.
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

async function run(app: App, { seed, requests, only, patience = PATIENCE }: Options): Promise<Report> {
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
    const { what, ending, duration, isTelling, requestId } = result;
    report.endings[ending] = (report.endings[ending] ?? 0) + 1;
    if (requestId) indexes.set(requestId, index);
    if (ending === "hang") report.hangs.push({ index, what, why: `no answer within ${patience} ms` });
    else if (duration > report.slowest.duration) report.slowest = { index, what, duration };
    const why = isTelling ? "a stack trace in the answer" : complaintOf(step, result);
    if (why) report.errors.push({ index, what, why });
  };
  const readLog = () => {
    for (const { level, message } of app.logs.splice(0)) {
      if ((level !== "error" && !/"level":"error"/.test(message)) || BEFORE_THE_WORKER.test(message)) continue;
      const index = indexes.get(/"requestId":"([^"]+)"/.exec(message)?.[1] ?? "") ?? -1;
      const why = `log: ${message.slice(0, 600)}`;
      const known = index >= 0 && report.errors.find((error) => error.index === index);
      if (known) known.why += `; ${why}`;
      else report.errors.push({ index, what: "in the log", why });
    }
  };
  for (let first = 0; first < chosen.length; first += RENEWED_EVERY) {
    await target.renew();
    const batch = chosen.slice(first, first + RENEWED_EVERY);
    const work = async () => {
      for (let index = batch.shift(); index !== undefined; index = batch.shift()) {
        const step = plan[index] as Step;
        judge(index, step, await send(target, step, patience));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    readLog();
  }
  await new Promise((resolve) => setTimeout(resolve, LAST_WORDS));
  readLog();
  const ready = await fetch(`${app.url}/readyz`);
  if (!ready.ok) report.errors.push({ index: -1, what: "GET /readyz after all", why: `status ${ready.status}` });
  report.broken = (await findBroken(db)).filter((line) => !known.has(line));
  client.close();
  return report;
}

/**
 * Says what is wrong with how a request ended. Bytes that are hardly HTTP reach no Worker: workerd hangs up on them, or
 * answers by itself, and those answers don't carry our request id.
 * @returns null if nothing is
 */
function complaintOf(step: Step, { ending, cause, requestId }: Result): string | null {
  if (step.kind === "raw" && requestId === null) return null;
  // workerd answers methods that it doesn't know, before the Worker.
  if (ending === 501 || (typeof ending === "number" && ending < 500)) return null;
  if (ending === "closed") return `closed without an answer: ${cause}`;
  return typeof ending === "number" ? `status ${ending}` : null;
}
