import { Agent, createServer, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

interface DelayProxy {
  url: string;
  /** The delay of each request in milliseconds, as if the database were that far away. */
  delay: number;
  stop(): Promise<void>;
}

/**
 * Starts an HTTP proxy in front of the database. It only delays and forwards requests: any other work would take CPU
 * time from the measurements.
 */
export async function startDelayProxy(target: string): Promise<DelayProxy> {
  const agent = new Agent({ keepAlive: true });
  const proxy = { delay: 0 };
  const server = createServer(async (incoming, outgoing) => {
    if (proxy.delay > 0) await pause(proxy.delay);
    const { method, headers, url = "/" } = incoming;
    const forwarded = request(new URL(url, target), { method, headers, agent }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    async stop() {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
