import { createServer } from "node:net";

/** @returns a port of 127.0.0.1 that nothing listens on: `preferred` if that is free, else one the system picks */
export async function freePort(preferred = 0): Promise<number> {
  return (await tryPort(preferred)) ?? (await tryPort(0)) ?? Promise.reject(new Error("No port is free on 127.0.0.1."));
}

/** @returns the port that was free (the system's choice for 0), or null when it is taken */
export function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(null));
    probe.listen(port, "127.0.0.1", () => {
      const { port: found } = probe.address() as { port: number };
      probe.close(() => resolve(found));
    });
  });
}
