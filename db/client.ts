import type { Client, InArgs, InStatement } from "@libsql/core/api";
import { LibsqlError } from "@libsql/core/api";
import { expandConfig } from "@libsql/core/config";
import { encodeBaseUrl } from "@libsql/core/uri";
import * as hrana from "@libsql/hrana-client";
import type { LibSQLDatabase } from "drizzle-orm/libsql";
import { drizzle } from "drizzle-orm/libsql/http";
import { isRead, runTransaction, toHrana, toObject, toResultSet } from "./hrana";
import type * as schema from "./schema";

/**
 * Drizzle without its relational queries, whose set-up for all tables would be a tenth of a page's CPU time, and
 * without interactive transactions, which would cost a round trip per statement.
 */
export type Database = Omit<LibSQLDatabase<typeof schema>, "query" | "transaction">;

/** The database use of one request so far. */
export interface DatabaseUsage {
  statements: number;
  /** POSTs to the database. They run one after another, so this is the number of sequential round trips. */
  roundTrips: number;
  /** Time spent waiting for the round trips, in milliseconds. */
  duration: number;
}

/**
 * Thrown if the database did not answer, or was too busy to execute the statement. A write may or may not have
 * happened.
 */
export class DatabaseUnavailableError extends Error {
  override name = "DatabaseUnavailableError";
}

interface DatabaseOptions {
  /** `https://…`, `http://…` or `libsql://…` */
  url: string;
  authToken?: string | undefined;
  /** The timeout of one round trip, in milliseconds. */
  timeout?: number;
}

const TIMEOUT = 5_000;
/** Delays before retries, in milliseconds. Only requests that certainly changed nothing are retried. */
const RETRY_DELAYS = [50, 250];

/** Work queued for the next pipeline. `run` must issue all its requests immediately, without awaiting between them. */
interface Job {
  readOnly: boolean;
  statements: number;
  run(stream: hrana.HttpStream): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Opens a database client for one request; never share it between requests.
 *
 * Statements issued in the same macrotask are sent together, as one pipeline on one stream: loaders that run in
 * parallel, nested ones included, cost one round trip. Each statement of a pipeline fails on its own. `transact` turns
 * several statements into one transaction, which travels in the same pipeline and fails as a whole. There are no
 * interactive transactions, because they would cost a round trip per statement.
 *
 * @returns the Drizzle database, and its usage, which is updated as statements run
 */
export function openDatabase(options: DatabaseOptions): { db: Database; usage: DatabaseUsage } {
  const usage: DatabaseUsage = { statements: 0, roundTrips: 0, duration: 0 };
  return { db: drizzle({ client: pipelinedClient(options, usage) }) as unknown as Database, usage };
}

let lastEndpoint: { options: DatabaseOptions; url: URL; authToken: string | undefined } | undefined;

/** Parses the database's address, once for all requests: it is always the same. */
function endpointOf(options: DatabaseOptions): { url: URL; authToken: string | undefined } {
  if (lastEndpoint?.options.url !== options.url || lastEndpoint.options.authToken !== options.authToken) {
    const { url, authToken } = options;
    const config = expandConfig({ url, ...(authToken && { authToken }) }, true);
    const base = encodeBaseUrl(config.scheme, config.authority, config.path);
    lastEndpoint = { options, url: base, authToken: config.authToken };
  }
  return lastEndpoint;
}

function pipelinedClient(options: DatabaseOptions, usage: DatabaseUsage): Client {
  const { url, authToken } = endpointOf(options);
  const timeout = options.timeout ?? TIMEOUT;
  const post = (request: Request) => fetch(request, { signal: AbortSignal.timeout(timeout) });
  let queue: Job[] = [];

  const enqueue = <T>(statements: number, readOnly: boolean, run: (stream: hrana.HttpStream) => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      if (queue.length === 0) setTimeout(() => void flush(), 0);
      queue.push({ statements, readOnly, run, resolve: resolve as (value: unknown) => void, reject });
    });

  /**
   * Sends the statements queued since the last macrotask as one POST. Retries a read-only POST that got no answer, and
   * statements that the database refused because another connection held its lock. The reads after such a statement are
   * repeated, because they may depend on what it did.
   */
  const flush = async () => {
    let jobs = queue;
    queue = [];
    usage.statements += jobs.reduce((sum, job) => sum + job.statements, 0);
    const started = Date.now();
    const isReadOnly = jobs.every((job) => job.readOnly);
    const delays = [...RETRY_DELAYS];
    while (jobs.length > 0) {
      const outcomes = await send(jobs);
      // No retry after a slow failure: the player has waited long enough.
      const delay = Date.now() - started < timeout / 2 ? delays.shift() : undefined;
      let isBehind = false;
      jobs = jobs.filter((job, index) => {
        const outcome = outcomes[index] as PromiseSettledResult<unknown>;
        const isRefused =
          outcome.status === "rejected" && (isLocked(outcome.reason) || (isReadOnly && isUnavailable(outcome.reason)));
        isBehind ||= isRefused && delay !== undefined;
        if (isBehind && (isRefused || job.readOnly)) return true;
        if (outcome.status === "fulfilled") job.resolve(outcome.value);
        else job.reject(asError(outcome.reason));
        return false;
      });
      if (jobs.length > 0) await new Promise((resolve) => setTimeout(resolve, delay));
    }
  };

  const send = async (jobs: Job[]) => {
    const started = Date.now();
    usage.roundTrips += 1;
    // Naming protocol 2 saves the round trip in which the client would ask which version the server speaks.
    const client = hrana.openHttp(url, authToken, post, undefined, 2);
    const stream = client.openStream();
    const running = jobs.map((job) => job.run(stream));
    stream.closeGracefully();
    const outcomes = await Promise.allSettled(running);
    client.close();
    usage.duration += Date.now() - started;
    return outcomes;
  };

  const client: Client = {
    closed: false,
    protocol: "http",
    execute(statement: InStatement, args?: InArgs) {
      const stmt = toHrana(args === undefined ? toObject(statement) : { ...toObject(statement), args });
      return enqueue(1, isRead(stmt), async (stream) => toResultSet(await stream.query(stmt)));
    },
    batch(statements) {
      const stmts = statements.map((statement) =>
        toHrana(Array.isArray(statement) ? { sql: statement[0], args: statement[1] ?? [] } : toObject(statement)),
      );
      return enqueue(stmts.length, stmts.every(isRead), (stream) => runTransaction(stream, stmts));
    },
    migrate: () => refuse("Migrations run from db/migrate.ts"),
    transaction: () => refuse("Interactive transactions cost a round trip per statement: use transact"),
    executeMultiple: () => refuse("Use transact"),
    sync: () => refuse("There is no replica to sync"),
    close: () => undefined,
    reconnect: () => undefined,
  };
  return client;
}

/** Error codes of a statement or transaction that could not get the database's lock, and so has changed nothing. */
const LOCKED = /^(SQLITE_BUSY|SQLITE_LOCKED)/;
/** Further error codes of a database that is reachable but can't execute the statement now. */
const OVERLOADED = /^(STREAM_EXPIRED|TRANSACTION_TIMEOUT)/;

const isLocked = (error: unknown) => error instanceof hrana.ResponseError && LOCKED.test(error.code ?? "");

/**
 * Any error that isn't the database's response to a statement means that the statement may not have reached the
 * database.
 */
const isUnavailable = (error: unknown) =>
  !(error instanceof hrana.ResponseError) || isLocked(error) || OVERLOADED.test(error.code ?? "");

function asError(error: unknown): Error {
  if (error instanceof hrana.ResponseError && !isUnavailable(error))
    return new LibsqlError(error.message, error.code ?? "UNKNOWN", undefined, undefined, error);
  return new DatabaseUnavailableError("The database did not answer", { cause: error });
}

function refuse(reason: string): never {
  throw new Error(reason);
}
