import { setTimeout } from "node:timers/promises";
import { type LocalServer, serveFetch } from "../../scripts/local/http";

/** One statement as it was sent to the database, and its cost there. */
export interface RecordedStatement {
  sql: string;
  args: unknown[];
  /** Rows and index entries that SQLite read for it, as the database server counts them. */
  rowsRead: number;
  /** Rows that the statement wrote, counted in the same way. */
  rowsWritten: number;
}

export interface LibsqlProxy extends LocalServer {
  /** Every statement since the last `clear`, in order. */
  statements: RecordedStatement[];
  /**
   * POSTs since the last `clear`. Email delivery from the outbox and records of who is online are left out: they happen
   * after the response, or with a socket that closes, so a test can't know whether they have happened yet.
   */
  posts: number;
  /**
   * The number of times that the Worker has waited for the database: overlapping POSTs count as one wait, and a wait
   * counts once its last POST has finished. A POST that is still running when the response arrives isn't counted yet:
   * the response didn't wait for it (a room, for example, notifies inboxes afterwards).
   */
  waits: number;
  /** POSTs that the database has not answered yet. */
  underWay: number;
  /** Delay of each request in milliseconds. It makes requests overlap unless the Worker awaits one before the next. */
  latency: number;
  /** Treatment of each request: passed on to the database, refused with 503, or answered with garbage. */
  mode: "through" | "away" | "garbled";
  /** How many of the next POSTs are passed on, whatever `mode` says. */
  spared: number;
  /**
   * How many of the next POSTs have their transactions and writes refused, as the database does while another
   * connection holds its lock for too long. Their reads are carried out.
   */
  locked: number;
  /** Work to do once, before the first POST that contains `words` is passed on. */
  before: { words: string; run: () => Promise<unknown> } | null;
  /** Work to do once, after the database has answered the first POST that contains `words`: its response waits. */
  after: LibsqlProxy["before"];
  clear(): void;
  /** Waits until the work after earlier responses is over: until no POST has arrived for `STILLNESS`. */
  settle(): Promise<void>;
}

interface HranaStatement {
  sql?: string;
  args?: { type: string; value?: unknown }[];
}

interface HranaPipeline {
  requests: { type: string; stmt?: HranaStatement; batch?: { steps: { stmt: HranaStatement }[] } }[];
}

interface HranaResult {
  rows_read?: number;
  rows_written?: number;
}

/** The time without a POST after which the Worker counts as idle, in milliseconds. */
const STILLNESS = 100;

/** The error with which sqld answers a statement that finds the database locked. */
const LOCKED = { message: "SQLite error: database is locked", code: "SQLITE_BUSY" };

/** Statements of email delivery, and of presence: the read of the player's choice, and the writes. */
const SENT_AFTER_RESPONSE =
  /\boutbox\b|^\s*(select "presence_policy" from|INSERT INTO "presence"|UPDATE "lfg_posts" SET "author_state" = \?)/;

interface HranaResponse {
  results: { response?: { result?: HranaResult & { step_results?: (HranaResult | null)[] } } }[];
}

/**
 * Starts a real HTTP proxy between the Worker and the database. It records each statement with its cost, and can delay,
 * refuse or garble requests.
 */
export async function startLibsqlProxy(target: string): Promise<LibsqlProxy> {
  const proxy = {
    statements: [] as RecordedStatement[],
    posts: 0,
    waits: 0,
    underWay: 0,
    latency: 0,
    mode: "through" as LibsqlProxy["mode"],
    spared: 0,
    locked: 0,
    before: null as LibsqlProxy["before"],
    after: null as LibsqlProxy["after"],
  };
  const server = await serveFetch(async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : undefined;
    const asked: HranaPipeline | undefined = body && pathname.endsWith("/pipeline") ? JSON.parse(body) : undefined;
    if (asked && isSentAfterResponse(asked)) return forward(request, pathname, body, asked);
    proxy.posts += 1;
    proxy.underWay += 1;
    try {
      if (proxy.latency > 0) await setTimeout(proxy.latency);
      if (proxy.before && body?.includes(proxy.before.words)) {
        const { run } = proxy.before;
        proxy.before = null;
        await run();
      }
      if (asked && proxy.locked > 0) {
        proxy.locked -= 1;
        return await refuseWrites(request, pathname, asked);
      }
      const answer = await forward(request, pathname, body, asked);
      if (proxy.after && body?.includes(proxy.after.words)) {
        const { run } = proxy.after;
        proxy.after = null;
        await run();
      }
      return answer;
    } finally {
      proxy.underWay -= 1;
      if (proxy.underWay === 0) proxy.waits += 1;
    }
  });

  async function forward(
    request: Request,
    pathname: string,
    body: string | undefined,
    asked: HranaPipeline | undefined,
  ) {
    if (proxy.spared > 0) proxy.spared -= 1;
    else if (proxy.mode === "away") return new Response("away", { status: 503 });
    else if (proxy.mode === "garbled") return new Response("<html>not hrana</html>", { status: 200 });
    const response = await fetch(target + pathname, {
      method: request.method,
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (asked) record(asked, JSON.parse(text));
    return new Response(text, { status: response.status, headers: { "Content-Type": "application/json" } });
  }

  /** Forwards a pipeline's reads, and refuses its other statements as a locked database does. */
  async function refuseWrites(request: Request, pathname: string, { requests, ...rest }: HranaPipeline) {
    const isRefused = ({ stmt, batch }: HranaPipeline["requests"][number]) =>
      batch !== undefined || (stmt !== undefined && !/^\s*select/i.test(stmt.sql ?? ""));
    const allowed = { ...rest, requests: requests.filter((one) => !isRefused(one)) };
    const answer = await forward(request, pathname, JSON.stringify(allowed), allowed);
    const { results, ...more } = (await answer.json()) as HranaResponse;
    const refuse = ({ batch }: HranaPipeline["requests"][number]) => {
      if (!batch) return { type: "error", error: LOCKED };
      const steps = batch.steps.map(() => null);
      const result = { step_results: steps, step_errors: steps.map((_, index) => (index === 0 ? LOCKED : null)) };
      return { type: "ok", response: { type: "batch", result } };
    };
    return Response.json({ ...more, results: requests.map((one) => (isRefused(one) ? refuse(one) : results.shift())) });
  }

  /**
   * Whether the Worker sends a request only after its response to the visitor: all statements concern the outbox, or
   * record who is online (`recordVisit`, `storePresence`). A request that inserts a new email doesn't match, since it
   * also holds the statements of the change that the email is about.
   */
  function isSentAfterResponse({ requests }: HranaPipeline): boolean {
    const statements = requests.flatMap(({ stmt, batch }) => [stmt, ...(batch?.steps.map((step) => step.stmt) ?? [])]);
    const asked = statements.flatMap((stmt) => stmt?.sql ?? []).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK)/.test(sql));
    return asked.length > 0 && asked.every((sql) => SENT_AFTER_RESPONSE.test(sql));
  }

  function record({ requests }: HranaPipeline, { results }: HranaResponse) {
    requests.forEach((request, index) => {
      const result = results[index]?.response?.result;
      if (request.stmt) recordStatement(request.stmt, result);
      request.batch?.steps.forEach(({ stmt }, step) => void recordStatement(stmt, result?.step_results?.[step]));
    });
  }

  function recordStatement(stmt: HranaStatement, result: HranaResult | null | undefined) {
    if (!stmt.sql || /^(BEGIN|COMMIT|ROLLBACK)/.test(stmt.sql)) return;
    const args = (stmt.args ?? []).map(({ type, value }) => (type === "integer" ? Number(value) : (value ?? null)));
    const { rows_read: rowsRead = Number.NaN, rows_written: rowsWritten = Number.NaN } = result ?? {};
    proxy.statements.push({ sql: stmt.sql, args, rowsRead, rowsWritten });
  }

  return Object.assign(proxy, {
    ...server,
    clear() {
      proxy.statements.length = 0;
      proxy.posts = 0;
      proxy.waits = 0;
    },
    async settle() {
      for (let seen = -1; seen !== proxy.posts || proxy.underWay > 0; await setTimeout(STILLNESS)) seen = proxy.posts;
    },
  });
}
