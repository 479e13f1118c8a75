import { setTimeout } from "node:timers/promises";
import { type LocalServer, serveFetch } from "../../scripts/local/http";

/** One statement as it went to the database, and what it cost there. */
export interface SeenStatement {
  sql: string;
  args: unknown[];
  /** Rows and index entries that SQLite read for it, as the server counts them. */
  rowsRead: number;
}

export interface LibsqlProxy extends LocalServer {
  /** Every statement since the last `clear`, in order. */
  statements: SeenStatement[];
  /**
   * POSTs since the last `clear`, but for the outbox's delivery and the note that a player was seen: both follow the
   * answer, sooner or later than a test looks.
   */
  posts: number;
  /**
   * Those POSTs that are over, but what was under way at the same time counted as one: so often somebody has waited for the
   * database. One that has just begun as an answer comes follows it, such as a room's that tells inboxes.
   */
  waits: number;
  /** POSTs that the database has not answered yet. */
  underWay: number;
  /** Milliseconds that each request is held up, so that those that could be under way at the same time are. */
  latency: number;
  /** What becomes of a request: through to the database, refused with 503, or garbled. */
  mode: "through" | "away" | "garbled";
  clear(): void;
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
}

interface HranaAnswer {
  results: { response?: { result?: HranaResult & { step_results?: (HranaResult | null)[] } } }[];
}

/**
 * A real HTTP hop between the Worker and the database: sees each statement and its cost, and can stand in the way.
 */
export async function startLibsqlProxy(target: string): Promise<LibsqlProxy> {
  const proxy = {
    statements: [] as SeenStatement[],
    posts: 0,
    waits: 0,
    underWay: 0,
    latency: 0,
    mode: "through" as LibsqlProxy["mode"],
  };
  const server = await serveFetch(async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : undefined;
    const asked: HranaPipeline | undefined = body && pathname.endsWith("/pipeline") ? JSON.parse(body) : undefined;
    if (asked && followsAnswer(asked)) return pass(request, pathname, body, asked);
    proxy.posts += 1;
    proxy.underWay += 1;
    try {
      if (proxy.latency > 0) await setTimeout(proxy.latency);
      return await pass(request, pathname, body, asked);
    } finally {
      proxy.underWay -= 1;
      if (proxy.underWay === 0) proxy.waits += 1;
    }
  });

  async function pass(request: Request, pathname: string, body: string | undefined, asked: HranaPipeline | undefined) {
    if (proxy.mode === "away") return new Response("away", { status: 503 });
    if (proxy.mode === "garbled") return new Response("<html>not hrana</html>", { status: 200 });
    const response = await fetch(target + pathname, {
      method: request.method,
      headers: { "Content-Type": "application/json" },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (asked) record(asked, JSON.parse(text));
    return new Response(text, { status: response.status, headers: { "Content-Type": "application/json" } });
  }

  /**
   * Whether all that is asked concerns the outbox (what puts an e-mail into it comes with what causes it) or notes a
   * visit (`noteVisit`).
   */
  function followsAnswer({ requests }: HranaPipeline): boolean {
    const statements = requests.flatMap(({ stmt, batch }) => [stmt, ...(batch?.steps.map((step) => step.stmt) ?? [])]);
    const asked = statements.flatMap((stmt) => stmt?.sql ?? []).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK)/.test(sql));
    return asked.length > 0 && asked.every((sql) => /\boutbox\b|^\s*INSERT INTO "presence".*'offline'/s.test(sql));
  }

  function record({ requests }: HranaPipeline, { results }: HranaAnswer) {
    requests.forEach((request, index) => {
      const result = results[index]?.response?.result;
      if (request.stmt) see(request.stmt, result);
      request.batch?.steps.forEach(({ stmt }, step) => void see(stmt, result?.step_results?.[step]));
    });
  }

  function see(stmt: HranaStatement, result: HranaResult | null | undefined) {
    if (!stmt.sql || /^(BEGIN|COMMIT|ROLLBACK)/.test(stmt.sql)) return;
    const args = (stmt.args ?? []).map(({ type, value }) => (type === "integer" ? Number(value) : (value ?? null)));
    proxy.statements.push({ sql: stmt.sql, args, rowsRead: result?.rows_read ?? Number.NaN });
  }

  return Object.assign(proxy, {
    ...server,
    clear() {
      proxy.statements.length = 0;
      proxy.posts = 0;
      proxy.waits = 0;
    },
  });
}
