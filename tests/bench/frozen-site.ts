import { createServer, type IncomingHttpHeaders, request } from "node:http";

interface SavedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Starts a server that fetches each URL from the site once and repeats that response from then on. It shows the best
 * speed that a page of these bytes can reach, because a repeated response needs no rendering and no database.
 */
export async function startFrozenSite(site: string) {
  const saved = new Map<string, Promise<SavedResponse>>();
  const server = createServer(async ({ method, url = "/", headers }, response) => {
    if (method !== "GET") return response.writeHead(405).end();
    const known = saved.get(url) ?? ask(new URL(url, site), headers);
    saved.set(url, known);
    const { status, headers: own, body } = await known;
    const { "transfer-encoding": _, connection: __, "set-cookie": ___, ...kept } = own;
    response.writeHead(status, { ...kept, "content-length": body.length }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as { port: number }).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Fetches the bytes as they are sent, compressed. */
function ask(url: URL, { cookie, "accept-encoding": encoding }: IncomingHttpHeaders): Promise<SavedResponse> {
  return new Promise((resolve, reject) => {
    const headers = { ...(cookie && { cookie }), ...(encoding && { "accept-encoding": encoding }) };
    const asked = request(url, { headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 500, headers: response.headers, body: Buffer.concat(parts) }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });
}
