import { createServer } from "node:http";
import { Readable } from "node:stream";

export interface LocalServer {
  /** `http://localhost:PORT` */
  url: string;
  /** Stops the server immediately, and closes open connections. */
  stop(): Promise<void>;
}

/**
 * Serves a handler of the Fetch API over real HTTP on a port of 127.0.0.1 (a free one by default). The request's signal
 * aborts when the client disconnects.
 */
export async function serveFetch(
  handler: (request: Request) => Response | Promise<Response>,
  port = 0,
): Promise<LocalServer> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on("close", () => gone.abort());
    try {
      const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
      const request = new Request(new URL(incoming.url ?? "/", `http://${incoming.headers.host ?? "localhost"}`), {
        method: incoming.method ?? "GET",
        headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
          [value ?? []].flat().map((one): [string, string] => [name, one]),
        ),
        signal: gone.signal,
        ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" }),
      } as RequestInit);
      const response = await handler(request);
      const body = Buffer.from(await response.arrayBuffer());
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
    } catch (error) {
      if (!outgoing.headersSent) outgoing.writeHead(500);
      outgoing.end(String(error));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://localhost:${(server.address() as { port: number }).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
