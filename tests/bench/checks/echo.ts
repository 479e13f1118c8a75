import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fetch, Log, LogLevel, Miniflare } from "miniflare";

/** A room that only passes frames on. It shows the cost of partyserver itself. */
const WORKER = `
import { Server } from "partyserver";
export class Echo extends Server {
  static options = { hibernate: true };
  onMessage(_, frame) { this.broadcast(frame); }
}
export default { fetch: (request, { ECHO }) => ECHO.getByName("echo").fetch(request) };
`;

const require = createRequire(import.meta.url);
const source = (path: string) => readFileSync(path, "utf8");

/** Starts a Worker with only that room, in its own workerd next to the app's. */
export async function startEcho() {
  const partyserver = require.resolve("partyserver");
  const nanoid = dirname(createRequire(partyserver).resolve("nanoid/package.json"));
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "echo.js", contents: WORKER },
      { type: "ESModule", path: "partyserver", contents: source(partyserver) },
      { type: "ESModule", path: "nanoid", contents: source(join(nanoid, "index.browser.js")) },
      { type: "ESModule", path: "url-alphabet/index.js", contents: source(join(nanoid, "url-alphabet/index.js")) },
    ],
    modulesRoot: "/",
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["nodejs_compat"],
    durableObjects: { ECHO: { className: "Echo", useSQLite: true } },
    host: "127.0.0.1",
    port: 0,
    log: new Log(LogLevel.ERROR),
  });
  const url = await miniflare.ready;
  const open = async () => {
    const { webSocket } = await fetch(url, { headers: { Upgrade: "websocket" } });
    if (!webSocket) throw new Error("The echo's socket was refused.");
    webSocket.accept();
    return webSocket;
  };
  const [one, other] = [await open(), await open()];
  return {
    /** Sends a frame on one socket and waits for it on the other. */
    bounce(frame: string): Promise<void> {
      return new Promise((resolve) => {
        other.addEventListener("message", ({ data }) => data === frame && resolve(), { once: true });
        one.send(frame);
      });
    },
    stop: () => miniflare.dispose(),
  };
}
