import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * The range from which ports are chosen. It is below the ports that systems give to outgoing connections (from 32768 on
 * Linux, 49152 elsewhere): such a connection could take the chosen port before our server listens on it.
 */
const PORTS = { from: 15_000, to: 32_000 };
/** Enough attempts to find a free port on any working machine. */
const TRIES = 50;

/**
 * Finds a free port on 127.0.0.1: `preferred` if possible.
 * @throws Error if none of `TRIES` random ports is free
 */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isFree(preferred))) return preferred;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
    if (await isFree(port)) return port;
  }
  throw new Error(`Found no free port on 127.0.0.1 in ${TRIES} attempts.`);
}

/** Whether a port on 127.0.0.1 is free. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
