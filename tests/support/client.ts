import type { App } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { findForm } from "./html";

/** A response that has been read to its end. */
export interface HttpResponse {
  status: number;
  headers: Headers;
  text: string;
  /** Where a redirect leads: path and query, or the whole URL when it leads to another site. */
  location: string | null;
  /** The `Set-Cookie` headers as they are. */
  setCookie: string[];
}

export type Fields = Record<string, string | number | readonly (string | number)[] | null | undefined>;

/**
 * The HTTP side of a browser: keeps cookies and submits forms with the `Origin` that browsers send. It doesn't follow
 * redirects by itself, so that tests see each response; see `follow`.
 */
export class Client {
  readonly cookies = new Map<string, string>();
  /** The site's origin. */
  readonly base: string;
  readonly #send: typeof fetch;

  /** @param send carries the requests, by default over the network */
  constructor(base: string, send: typeof fetch = fetch) {
    this.base = base;
    this.#send = send;
  }

  /** The `Cookie` header; empty without cookies. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get(path: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.request(path, { headers });
  }

  /** Posts a form to a path. Null and undefined fields are left out; a list is sent once per value. */
  post(path: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.request(path, { method: "POST", body: encode(fields), headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.request(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });
  }

  /**
   * Opens a page, fills in the form that holds a button with this name, and submits it as a browser without
   * JavaScript does: with hidden and prefilled fields and the button's own name and value.
   */
  async submit(page: string, button: string, fields: Fields = {}): Promise<HttpResponse> {
    const { text } = await this.get(page);
    const form = findForm(text, button);
    const action = new URL(form.action ?? page, new URL(page, this.base));
    const path = action.pathname + action.search;
    const values = { ...form.values, ...fields };
    return form.method === "post" ? this.post(path, values) : this.get(`${action.pathname}?${encode(values)}`);
  }

  /** Follows redirects until a response is a page. */
  async follow(answer: HttpResponse): Promise<HttpResponse> {
    let page = answer;
    for (let hops = 0; page.location !== null; hops += 1) {
      if (hops === 10) throw new Error(`More than ten redirects; the last one leads to ${page.location}.`);
      page = await this.get(page.location);
    }
    return page;
  }

  /** Sends any request. Adds `Cookie` and, for methods other than GET, `Origin` unless they are given. */
  async request(
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ): Promise<HttpResponse> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0 && !headers.has("Cookie")) {
      headers.set("Cookie", this.cookieHeader);
    }
    if (init.method && init.method !== "GET" && !headers.has("Origin")) headers.set("Origin", this.base);
    // Tests pass an empty `Origin` to send none, as clients that aren't browsers do.
    if (headers.get("Origin") === "") headers.delete("Origin");
    const response = await this.#send(new URL(path, this.base), { ...init, headers, redirect: "manual" });
    const setCookie = response.headers.getSetCookie();
    for (const cookie of setCookie) this.#keep(cookie);
    const location = response.headers.get("Location");
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: location === null ? null : this.#relative(location),
      setCookie,
    };
  }

  #keep(cookie: string): void {
    const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.some((attribute) => /^max-age=(0|-.*)$/i.test(attribute))) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(name.length + 1));
  }

  #relative(location: string): string {
    const url = new URL(location, this.base);
    return url.origin === this.base ? url.pathname + url.search : location;
  }
}

/** Makes a visitor who reaches the Worker at another origin, as if that were this machine's. */
export const clientAt = ({ miniflare }: Pick<App, "miniflare">, origin: string) =>
  new Client(origin, miniflare.dispatchFetch as unknown as typeof fetch);

/**
 * Signs in through the form. By default, with the password that all players of the seeded worlds share.
 * @returns the same client
 * @throws Error when the response is not the redirect of a successful sign-in
 */
export async function signIn(client: Client, email: string, password: string = PASSWORD): Promise<Client> {
  const answer = await client.post("/auth", { email, password });
  if (answer.status !== 303) throw new Error(`Signing in as ${email} was answered with ${answer.status}.`);
  return client;
}

/** Whether a client's session opens the dashboard. */
export const isSignedIn = async (client: Client) => (await client.get("/dashboard")).status === 200;

function encode(fields: Fields): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) params.append(name, String(one));
  }
  return params;
}
