import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import { lfgPosts } from "../../db/schema";
import { type App, startApp } from "../../scripts/local/app";
import { type EmailProvider, startEmailProvider } from "../../scripts/local/email-provider";
import { serveFetch } from "../../scripts/local/http";
import { freePort } from "../../scripts/local/ports";
import { startPushStandIn } from "../../scripts/local/push-stand-in";
import { startSqld } from "../../scripts/local/sqld";
import type { TestApp } from "../support/app";
import { Client } from "../support/client";
import { startCutter } from "../support/cutter";
import { openTestDatabase } from "../support/database";
import { startLibsqlProxy } from "../support/libsql-proxy";
import { readEmail } from "../support/mailbox";
import { findChildren } from "../support/workers";
import type { Fault } from "./plan";

const WRITE = /INSERT|UPDATE|DELETE/;

/** A player's browser with push turned on. */
interface Device {
  userId: string;
  endpoint: string;
}

export interface Site extends TestApp {
  emails: EmailProvider;
  devices: Device[];
  /** Injects a fault, and resolves once the site works again. */
  inject(fault: Fault): Promise<void>;
}

/**
 * Starts a site for fault injection: browsers → cutter → Worker → wire → proxy → sqld. The cutter drops connections.
 * The wire notices writes and truncates responses. The proxy simulates an outage, a slow database and a locked one.
 */
export async function startSite(): Promise<Site> {
  const dir = mkdtempSync(join(tmpdir(), "lineup-faults-"));
  const [sqld, emails, push, port] = [
    await startSqld({ dir: join(dir, "libsql") }),
    await startEmailProvider(),
    await startPushStandIn(),
    await freePort(),
  ];
  const proxy = await startLibsqlProxy(sqld.url);
  let onWrite: (() => void) | undefined;
  let isTruncating = false;
  const wire = await serveFetch(async (request) => {
    const body = await request.text();
    if (onWrite && WRITE.test(body)) onWrite();
    const answer = await fetch(proxy.url + new URL(request.url).pathname, { method: request.method, body });
    const text = await answer.text();
    return new Response(isTruncating ? text.slice(0, text.length / 2) : text, { status: answer.status });
  });
  const cutter = await startCutter(`http://localhost:${port}`);

  const start = () =>
    startApp({
      dir,
      port,
      limitFactor: 100_000,
      libsqlUrl: sqld.url,
      bindings: {
        LIBSQL_URL: wire.url,
        EMAIL_API_URL: emails.apiUrl,
        EMAIL_API_KEY: emails.apiKey,
        ...push.bindings,
      },
    });
  let running: App = await start();
  const devices: Device[] = [];
  const db = openTestDatabase(running);

  /** Resolves at the next write on its way to the database, or after a second without one. */
  const nextWrite = () =>
    Promise.race([pause(1_000), new Promise<void>((resolve) => (onWrite = resolve))]).then(() => {
      onWrite = undefined;
    });

  /** Applies a fault for `lasts` milliseconds. */
  const during = async (lasts: number, begin: () => void, end: () => void) => {
    begin();
    await pause(lasts);
    end();
  };

  const restart = async (isKilled: boolean) => {
    if (isKilled) for (const pid of findChildren("workerd")) process.kill(pid, "SIGKILL");
    await running.stop();
    running = await start();
  };

  const faults: Record<Fault["kind"], (lasts: number) => Promise<unknown>> = {
    "kill the Worker": () => restart(true),
    deploy: () => restart(false),
    "cut connections": async () => cutter.cut(),
    "freeze the database": (lasts) => during(lasts, sqld.pause, sqld.resume),
    "restart the database": () => sqld.stop().then(sqld.start),
    "slow database": (lasts) =>
      during(
        lasts,
        () => (proxy.latency = 300),
        () => (proxy.latency = 0),
      ),
    "database away": (lasts) =>
      during(
        lasts,
        () => (proxy.mode = "away"),
        () => (proxy.mode = "through"),
      ),
    "half answers": (lasts) =>
      during(
        lasts / 4,
        () => (isTruncating = true),
        () => (isTruncating = false),
      ),
    "locked database": async () => (proxy.locked = 3),
    "no email": async () => emails.failNext(3),
    "no push": async () => {
      for (const { endpoint } of devices) push.failNext(endpoint, 2);
    },
    // The clock of workerd can't be set, so the dates of open posts move instead, as if six hours had passed.
    clock: () => db.update(lfgPosts).set({ expiresAt: sql`expires_at - ${6 * HOUR}` }),
  };

  return {
    ...running,
    db,
    emails,
    push,
    devices,
    client: () => new Client(cutter.url),
    readEmail: (recipient) => readEmail(running, recipient),
    runScheduled: () => running.runScheduled(),
    async inject({ kind, after, lasts, isMidWrite }) {
      await pause(after);
      if (isMidWrite) await nextWrite();
      await faults[kind](lasts);
    },
    async stop() {
      await running.stop();
      await cutter.stop();
      await wire.stop();
      await proxy.stop();
      await emails.stop();
      await push.stop();
      await sqld.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
