import { connect, createServer, type Socket } from "node:net";

export interface Cutter {
  /** `http://localhost:PORT` */
  url: string;
  /** Drops every TCP connection, with no WebSocket close beforehand. */
  cut(): void;
  stop(): Promise<void>;
}

/** Starts a TCP proxy between browsers and the Worker, so that a test can cut their connections. */
export async function startCutter(target: string): Promise<Cutter> {
  const open = new Set<Socket>();
  const server = createServer((browser) => {
    const worker = connect(Number(new URL(target).port), "127.0.0.1");
    for (const socket of [browser, worker]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        browser.destroy();
        worker.destroy();
      });
    }
    browser.pipe(worker).pipe(browser);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${(server.address() as { port: number }).port}`,
    cut,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
