import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { fetch as openSocket } from "miniflare";
import type { Header, Step, Value } from "./plan";
import type { Target } from "./target";

/**
 * The maximum size of a response's headers, in bytes, as in Chrome. A redirect to the sign-in repeats an encoded URL.
 */
const MAX_HEADERS = 262_144;
/** The most bytes that the Worker reads of a form (`FORM_LIMIT`). If more follow, workerd closes the connection. */
const MAX_READ = 4 * 1024 * 1024;
/** The timeout of a request of raw bytes, which are hardly HTTP, in milliseconds. */
const RAW_BYTES_TIMEOUT = 300;

/**
 * The end of a request: a status, or else
 *
 * - `closed`: the server closed the connection without a response;
 * - `hang`: the server didn't respond in time;
 * - `cut off`: the server closed it, because the body is longer than the Worker reads, or because the request has
 *   `Upgrade` (Miniflare then reads no body);
 * - `left`: we closed the connection, as planned, or because the server waits for the rest of an incomplete request;
 * - `unsent`: Node refuses to send the header or URL.
 */
export type Ending = number | "closed" | "cut off" | "hang" | "left" | "unsent";

/** The outcome of a request. */
export interface Result {
  /** A readable summary of the request, never with whole bodies. */
  what: string;
  ending: Ending;
  /** The error that ended the request; null if there was none. */
  cause: string | null;
  /** The time to the end of the response, in milliseconds. */
  duration: number;
  /** The request id, as in the log. */
  requestId: string | null;
  /** Whether the response contains part of a stack trace. */
  hasStackTrace: boolean;
}

interface Outgoing {
  method: string;
  path: string;
  headers: Header[];
  body?: Buffer;
  /** The number of bytes of the body to send before we close the connection. */
  cutAt?: number;
}

// Each request has its own connection, so that a closed connection points to the request that caused it.
const agent = new Agent({ keepAlive: false });

/** Sends one request of a plan. Never throws. @param timeout the time that a response may take, in milliseconds */
export async function send(target: Target, step: Step, timeout: number): Promise<Result> {
  if (step.kind === "raw") return sendBytes(target, step.bytes);
  if (step.kind === "socket") return sendFrames(target, step, timeout);
  return sendRequest(target, build(target, step), timeout);
}

const pick = <T>(list: readonly T[], place: number): T => list[place % list.length] as T;

function textOf(target: Target, value: Value): string {
  if ("text" in value) return value.text;
  if ("repeat" in value) return value.repeat.repeat(value.times);
  return idOf(target, pick(Object.keys(target.ids), Math.max(0, value.of)), value.place);
}

/** Returns the id of something that exists, if there is any of its kind. */
function idOf({ ids }: Target, name: string, place: number): string {
  const list = ids[name] ?? [];
  return list.length > 0 ? pick(list, place) : "none";
}

/** Encodes text for a URL or a form. Accepts lone surrogates, which `encodeURIComponent` refuses. */
const encode = (text: string): string =>
  [...text]
    .map((sign) => (/[\ud800-\udfff]/.test(sign) && sign.length === 1 ? "%ED%A0%80" : encodeURIComponent(sign)))
    .join("");

function build(target: Target, step: Exclude<Step, { kind: "raw" | "socket" }>): Outgoing {
  const { cookie } = pick(target.actors, step.actor);
  const own: Header[] = [["Host", new URL(target.app.url).host]];
  const withHeaders = (method: string, path: string, more: Header[], cookies = cookie) => ({
    method,
    path,
    headers: merge(own, cookies ? [["Cookie", cookies]] : [], more, step.headers),
  });
  if (step.kind === "json") {
    const headers: Header[] = [
      ["Content-Type", "application/json"],
      ["Origin", target.app.url],
    ];
    return { ...withHeaders("POST", "/riot-api/verify-account", headers), body: Buffer.from(step.body) };
  }
  if (step.kind === "address") {
    const { address } = pick(target.routes, step.route);
    let place = 0;
    const filled = address.replace(/:(\w+)|\*/g, (_, name: string | undefined) => {
      const value = pick(step.params, place++);
      const isOwn = "of" in value && value.of < 0;
      return encode(isOwn ? idOf(target, name ?? "", value.place) : textOf(target, value));
    });
    const search = step.search.map(({ name, value }) => `${pick(target.names, name)}=${encode(textOf(target, value))}`);
    const joined = search.length > 0 ? (step.suffix.includes("?") ? "&" : "?") + search.join("&") : "";
    // Servers refuse longer URLs before they reach the Worker.
    return withHeaders(step.method, (filled + step.suffix + joined).slice(0, 15_000), [["Origin", target.app.url]]);
  }
  const form = pick(target.forms, step.form);
  const sender = pick(target.actors, step.isForeign ? step.actor : form.actor);
  let fields: [string, string | { file: string }][] = form.fields.map(([name, value]) => [name, value]);
  for (const { field, how, value } of step.mutations) {
    if (fields.length === 0) break;
    const place = field % fields.length;
    const [name] = fields[place] as [string, unknown];
    const text = textOf(target, value);
    if (how === "drop") fields = fields.filter((_, index) => index !== place);
    else if (how === "repeat")
      fields.push(...Array.from({ length: 1 + (field % 40) }, (): [string, string] => [name, text]));
    else if (how === "rename") fields[place] = [`${name}${text.slice(0, 60)}`, "x"];
    else fields[place] = [name, how === "file" ? { file: text } : text];
  }
  const [pathname = "/", query = ""] = form.action.split("?");
  const path = step.isData ? `${pathname.replace(/\/$/, "") || "/_root"}.data${query && `?${query}`}` : form.action;
  const urlencoded = fields
    .map(([name, value]) => `${encode(name)}=${encode(typeof value === "string" ? value : value.file)}`)
    .join("&");
  if (form.method === "get") {
    const joined = `${path}${path.includes("?") ? "&" : "?"}${urlencoded}`.slice(0, 15_000);
    return withHeaders("GET", joined, [], sender.cookie);
  }
  const { type, body, cutAt } = encodeForm(step.encoding, fields, urlencoded);
  const headers: Header[] = [["Origin", target.app.url], ...type];
  return { ...withHeaders("POST", path, headers, sender.cookie), body, ...(cutAt !== undefined && { cutAt }) };
}

function encodeForm(
  encoding: Extract<Step, { kind: "form" }>["encoding"],
  fields: readonly [string, string | { file: string }][],
  urlencoded: string,
): { type: Header[]; body: Buffer; cutAt?: number } {
  const form: Header = ["Content-Type", "application/x-www-form-urlencoded"];
  const multipart: Header = ["Content-Type", "multipart/form-data; boundary=b"];
  const parts = fields.map(([name, value]) => {
    const file = typeof value === "string" ? "" : '; filename="a\\".png"\r\nContent-Type: image/png';
    return `--b\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${typeof value === "string" ? value : value.file}\r\n`;
  });
  const whole = Buffer.from(`${parts.join("")}--b--\r\n`);
  switch (encoding) {
    case "urlencoded":
      return { type: [form], body: Buffer.from(urlencoded) };
    case "multipart":
      return { type: [multipart], body: whole };
    case "multipart without its end":
      return { type: [multipart], body: whole.subarray(0, Math.floor(whole.length * 0.7)) };
    case "another boundary":
      return { type: [["Content-Type", "multipart/form-data; boundary=c"]], body: whole };
    case "cut":
      return { type: [form], body: Buffer.from(urlencoded), cutAt: Math.floor(urlencoded.length / 2) };
    case "compressed in name only":
      return { type: [form, ["Content-Encoding", "gzip"]], body: Buffer.from(urlencoded) };
    case "json":
      return {
        type: [["Content-Type", "application/json"]],
        body: Buffer.from(JSON.stringify(Object.fromEntries(fields))),
      };
    case "text":
      return { type: [["Content-Type", "text/plain"]], body: Buffer.from(urlencoded) };
    case "bytes":
      return { type: [form], body: Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256)) };
    case "none":
      return { type: [], body: Buffer.alloc(0) };
    default:
      return encoding satisfies never;
  }
}

/** Merges headers; later ones replace earlier ones of the same name. */
function merge(...lists: readonly Header[][]): Header[] {
  const merged = new Map(lists.flat().map(([name, value]) => [name.toLowerCase(), [name, value] as Header]));
  return [...merged.values()];
}

function sendRequest(
  { app }: Target,
  { method, path, headers, body, cutAt }: Outgoing,
  timeout: number,
): Promise<Result> {
  const what = `${method} ${path.slice(0, 150)} (${body?.length ?? 0} B; ${headers
    .map(([name, value]) => `${name}: ${value.slice(0, 40)}`)
    .filter((line) => !line.startsWith("Host: localhost:"))
    .join("; ")
    .slice(0, 250)})`;
  const isUpgrade = headers.some(([name]) => name.toLowerCase() === "upgrade");
  const isLeftUnread = body !== undefined && (body.length > MAX_READ || (isUpgrade && body.length > 0));
  const started = performance.now();
  return new Promise((resolve) => {
    // The response to a request that we cut short may also break off.
    const closed = cutAt !== undefined ? "left" : isLeftUnread ? "cut off" : "closed";
    let outgoing: ReturnType<typeof httpRequest> | undefined;
    const end = (
      ending: Ending,
      { requestId = null, text = "", cause = null }: Partial<Result> & { text?: string } = {},
    ) => {
      clearTimeout(timer);
      const hasStackTrace = /^\s+at \S+ \(/m.test(text);
      resolve({ what, ending, cause, duration: performance.now() - started, requestId, hasStackTrace });
    };
    const timer = setTimeout(() => {
      end("hang");
      outgoing?.destroy();
    }, timeout);
    const length: Header[] = body ? [["Content-Length", String(body.length)]] : [];
    try {
      outgoing = httpRequest(app.url, {
        ...{ agent, method, path, setHost: false, maxHeaderSize: MAX_HEADERS },
        headers: [...headers, ...length].flat(),
      });
    } catch {
      end("unsent");
      return;
    }
    outgoing.on("upgrade", (response, socket) => {
      // The rest of a body may still be in flight.
      socket.on("error", () => undefined).destroy();
      end(response.statusCode ?? "closed");
    });
    outgoing.on("response", (response) => {
      const parts: Buffer[] = [];
      const status = response.statusCode ?? "closed";
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        end(status, {
          requestId: String(response.headers["x-request-id"] ?? ""),
          text: Buffer.concat(parts).toString(),
        }),
      );
      // The response has started, but hasn't ended.
      response.on("error", ({ message }) => end(closed, { cause: message }));
    });
    outgoing.on("error", ({ message }) => end(closed, { cause: message }));
    if (body && cutAt !== undefined) {
      const cut = outgoing;
      cut.write(body.subarray(0, cutAt), () => setTimeout(() => cut.destroy(), 20));
    } else outgoing.end(body);
  });
}

function sendBytes({ app }: Target, bytes: string): Promise<Result> {
  const what = `raw ${JSON.stringify(bytes.slice(0, 80))}`;
  const started = performance.now();
  return new Promise((resolve) => {
    const { port } = new URL(app.url);
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    const end = (without: Ending) => {
      clearTimeout(timer);
      socket.destroy();
      const status = /^HTTP\/1\.\d (\d{3})/.exec(text)?.[1];
      const ending = status ? Number(status) : without;
      const requestId = /^X-Request-Id: (\S+)/im.exec(text)?.[1] ?? null;
      resolve({ what, ending, cause: null, duration: performance.now() - started, requestId, hasStackTrace: false });
    };
    // A server may wait for the rest of a request that never comes.
    const timer = setTimeout(() => end("left"), RAW_BYTES_TIMEOUT);
    socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    socket.on("close", () => end("closed"));
    socket.on("error", () => undefined);
    socket.write(Buffer.from(bytes, "latin1"));
  });
}

/** Opens a room's socket and sends frames; then the room must answer a ping or have closed the socket. */
async function sendFrames(target: Target, step: Extract<Step, { kind: "socket" }>, timeout: number): Promise<Result> {
  const { name, cookie } = pick(target.actors, step.actor);
  const room = pick(["inbox", "conversation", "conversation", "tournament", "nothing"], step.room);
  const isReal = step.room % 3 > 0;
  const id = isReal ? idOf(target, `${room}Id`, step.actor) : encode(textOf(target, step.id)).slice(0, 500);
  const path = room === "inbox" && step.room % 2 === 0 ? "/parties/inbox" : `/parties/${room}/${id}`;
  const what = `socket ${path} (${name}, ${step.frames.length} frames)`;
  const started = performance.now();
  const result = (ending: Ending, cause: string | null = null): Result => ({
    ...{ what, ending, cause, duration: performance.now() - started },
    ...{ requestId: null, hasStackTrace: false },
  });
  try {
    const odd = step.headers.filter(([header]) => ["Origin", "Cookie", "X-Lineup-Visitor"].includes(header));
    const headers = merge(
      [["Origin", target.app.url]],
      cookie ? [["Cookie", cookie]] : [],
      [["Upgrade", "websocket"]],
      odd,
    );
    const response = await openSocket(target.app.url + path, { headers, signal: AbortSignal.timeout(timeout) });
    const socket = response.webSocket;
    if (!socket) {
      await response.text();
      return result(response.status);
    }
    return await new Promise<Result>((resolve) => {
      const done = (ending: Ending) => {
        clearTimeout(timer);
        resolve(result(ending));
        try {
          socket.close(1000);
        } catch {
          // The room has closed it.
        }
      };
      const timer = setTimeout(() => done("hang"), timeout);
      socket.addEventListener("close", () => done(101));
      socket.addEventListener("message", ({ data }) => {
        if (data === "pong") done(101);
      });
      socket.accept();
      try {
        for (const frame of step.frames) {
          if ("bytes" in frame) socket.send(new Uint8Array(frame.bytes));
          else socket.send(textOf(target, frame));
        }
        socket.send("ping");
      } catch {
        done(101);
      }
    });
  } catch (error) {
    const { name, message } = error as Error;
    return result(name === "TimeoutError" ? "hang" : "closed", message);
  }
}
