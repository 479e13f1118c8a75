import { createHash, X509Certificate } from "node:crypto";
import { Agent, request } from "node:http";
import { createSecureServer, type IncomingHttpHeaders } from "node:http2";
import { type AddressInfo, connect, type Socket } from "node:net";
import { generate } from "selfsigned";

/** A certificate for `localhost`, and Chromium's argument to trust it. */
interface Certificate {
  key: string;
  cert: string;
  chromiumArg: string;
}

/**
 * How long a connection to the site is kept without a request, in milliseconds. workerd closes it after five seconds,
 * and a request that arrives at that moment is lost.
 */
const KEPT = 2_000;
/** The statuses of the responses whose `Link` header Cloudflare remembers. */
const HINTING = [200, 301, 302];

/** Makes a certificate that only a Chromium started with `chromiumArg` trusts. */
export async function createCertificate(): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], { keyType: "ec" });
  const publicKey = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  const hash = createHash("sha256").update(publicKey).digest("base64");
  return { key, cert, chromiumArg: `--ignore-certificate-errors-spki-list=${hash}` };
}

/**
 * Starts a server that speaks HTTP/2 over TLS, as Cloudflare does, and passes each request on to `target`. Chromium
 * then uses one connection, with the style sheet ahead of fonts and scripts. WebSockets use HTTP/1 connections.
 * @param options.hasEarlyHints whether it remembers each page's `Link` header and sends it ahead of the next response,
 *   as Cloudflare's documentation describes
 */
export async function startHttp2Front(target: string, { key, cert }: Certificate, { hasEarlyHints = false } = {}) {
  const { hostname, port } = new URL(target);
  const agent = new Agent({ keepAlive: true, timeout: KEPT });
  const open = new Set<Socket>();
  /** The links of each page, by its path without the query. */
  const hints = new Map<string, string[]>();
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (incoming, outgoing) => {
    const { method, url: path } = incoming;
    const isPage = hasEarlyHints && incoming.headers["sec-fetch-mode"] === "navigate";
    const page = isPage ? (path.split("?")[0] as string) : null;
    const link = page === null ? undefined : hints.get(page);
    if (link) outgoing.writeEarlyHints({ link });
    const onward = request({ hostname, port, method, path, agent, headers: forHttp1(incoming.headers) }, (answer) => {
      const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...headers } = answer.headers;
      if (page !== null && headers.link && HINTING.includes(answer.statusCode ?? 0))
        hints.set(page, String(headers.link).split(", "));
      outgoing.writeHead(answer.statusCode ?? 502, headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
  });
  server.on("upgrade", ({ url, rawHeaders }, visitor: Socket, head: Buffer) => {
    const site = connect(Number(port), hostname, () => {
      const lines = (rawHeaders as string[]).flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      // The site is reached without TLS, and refuses origins other than its own.
      const headers = lines.join("\r\n").replace(/^origin: https:/im, "Origin: http:");
      site.write(`GET ${url} HTTP/1.1\r\n${headers}\r\n\r\n`);
      site.write(head);
      site.pipe(visitor).pipe(site);
    });
    site.on("error", () => visitor.destroy());
    visitor.on("error", () => site.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Returns a request's headers for HTTP/1: without HTTP/2's pseudo-headers, but with `Host`. */
function forHttp1(headers: IncomingHttpHeaders) {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  return { ...Object.fromEntries(kept), host: headers[":authority"] ?? headers.host };
}
