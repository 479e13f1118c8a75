import { connect, createServer, type Socket } from "node:net";

/** A visitor's connection to the internet. */
interface Shape {
  /** The time of a round trip, in milliseconds: half of it in each direction, and one more for each new connection. */
  latency: number;
  /** Bits a second to the visitor. */
  down: number;
  /** Bits a second from the visitor. */
  up: number;
}

/** The slow 4G of Chromium's and Lighthouse's settings. */
export const SLOW_4G: Shape = { latency: 150, down: 1_600_000, up: 750_000 };

/** Bytes in a packet: connections take turns with them. */
const PACKET = 1_460;

interface Stream {
  waiting: Buffer[];
  /** The earliest time at which any of its data may arrive. */
  from: number;
  target: Socket;
  hasEnded: boolean;
}

/** One direction of the connection, which all streams share. */
class Link {
  readonly #delay: number;
  readonly #rate: number;
  #turn: Stream[] = [];
  #free = 0;
  #arriving: { at: number; stream: Stream; packet: Buffer | null }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(delay: number, rate: number) {
    this.#delay = delay;
    this.#rate = rate;
  }

  send(stream: Stream, data: Buffer): void {
    for (let at = 0; at < data.length; at += PACKET) stream.waiting.push(data.subarray(at, at + PACKET));
    this.#enter(stream);
  }

  end(stream: Stream): void {
    stream.hasEnded = true;
    this.#enter(stream);
  }

  #enter(stream: Stream): void {
    if (!this.#turn.includes(stream)) this.#turn.push(stream);
    this.#run();
  }

  /** Puts packets on the wire until it is busy, delivers those that have arrived, and comes back for the next. */
  #run(): void {
    const now = performance.now();
    while (this.#turn.length > 0 && this.#free <= now) {
      const stream = this.#turn.shift() as Stream;
      const packet = stream.waiting.shift() ?? null;
      this.#free = Math.max(this.#free, now - 2) + ((packet?.length ?? 0) * 8_000) / this.#rate;
      this.#arriving.push({ at: Math.max(this.#free + this.#delay, stream.from), stream, packet });
      if (stream.waiting.length > 0 || (packet && stream.hasEnded)) this.#turn.push(stream);
    }
    while (this.#arriving[0] && this.#arriving[0].at <= now) {
      const { stream, packet } = this.#arriving.shift() as { stream: Stream; packet: Buffer | null };
      if (packet) stream.target.write(packet);
      else if (stream.hasEnded) stream.target.end();
    }
    clearTimeout(this.#timer);
    const next = Math.min(this.#turn.length > 0 ? this.#free : Infinity, this.#arriving[0]?.at ?? Infinity);
    if (next < Infinity) this.#timer = setTimeout(() => this.#run(), Math.max(1, next - performance.now()));
  }
}

/**
 * Starts a TCP proxy that is as slow as a visitor's connection. Unlike the throttling of Chromium's developer tools,
 * its latency adds to the server's time instead of hiding it.
 */
export async function startShapingProxy(target: string, { latency, down, up }: Shape) {
  const [downlink, uplink] = [new Link(latency / 2, down), new Link(latency / 2, up)];
  const open = new Set<Socket>();
  const server = createServer((visitor) => {
    const site = connect(Number(new URL(target).port), "127.0.0.1");
    // A new connection costs one round trip before its first byte.
    const request = { waiting: [], from: performance.now() + latency * 1.5, target: site, hasEnded: false };
    const response = { waiting: [], from: 0, target: visitor, hasEnded: false };
    for (const socket of [visitor, site]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => open.delete(socket));
    }
    visitor.on("data", (data) => uplink.send(request, data));
    visitor.on("end", () => uplink.end(request));
    visitor.on("close", () => site.destroy());
    site.on("data", (data) => downlink.send(response, data));
    site.on("end", () => downlink.end(response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `${new URL(target).protocol}//localhost:${(server.address() as { port: number }).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
