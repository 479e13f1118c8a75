import { serveFetch } from "../../scripts/local/http";

/** A proxy in front of the site. Cookies don't depend on the port, so a session of the site is valid here too. */
export interface FrontDoor {
  url: string;
  /**
   * Refuses all connections, as if there were no network. This also affects service workers, which Playwright's
   * `setOffline` doesn't guarantee.
   */
  close(): Promise<void>;
  reopen(): Promise<void>;
  /** Changes the text of the site's service worker, as a deployment does. */
  deploy(change: (serviceWorker: string) => string): void;
}

/** Starts a proxy between browsers and the site. It forwards no WebSockets, so rooms can't be reached through it. */
export async function startFrontDoor(target: string): Promise<FrontDoor> {
  let change = (serviceWorker: string) => serviceWorker;
  const handle = async (request: Request): Promise<Response> => {
    const { pathname, search, origin } = new URL(request.url);
    const headers = new Headers(request.headers);
    for (const name of ["connection", "upgrade", "transfer-encoding"]) headers.delete(name);
    // Otherwise the site would respond that its file hasn't changed.
    if (pathname === "/sw.js") headers.delete("If-None-Match");
    // The site accepts requests only from its own pages.
    if (headers.get("Origin") === origin) headers.set("Origin", target);
    const body = request.method === "POST" ? await request.text() : null;
    const response = await fetch(target + pathname + search, {
      method: request.method,
      headers,
      redirect: "manual",
      ...(body !== null && { body }),
    });
    const answered = new Headers(response.headers);
    // `fetch` has decoded the body.
    for (const name of ["content-encoding", "content-length", "transfer-encoding"]) answered.delete(name);
    const text = pathname === "/sw.js" ? change(await response.text()) : await response.arrayBuffer();
    return new Response([204, 304].includes(response.status) ? null : text, {
      status: response.status,
      headers: answered,
    });
  };
  let server = await serveFetch(handle);
  const { url } = server;
  return {
    url,
    close: () => server.stop(),
    async reopen() {
      server = await serveFetch(handle, Number(new URL(url).port));
    },
    deploy(next) {
      change = next;
    },
  };
}
