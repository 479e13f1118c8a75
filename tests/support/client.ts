import { PASSWORD } from "../../scripts/worlds";

/** An answer, read to its end. */
export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Where a redirect leads, as path and query (or a whole address when it leads elsewhere). */
  location: string | null;
  /** The `Set-Cookie` headers as they are. */
  setCookie: string[];
}

export type Fields = Record<string, string | number | readonly (string | number)[] | null | undefined>;

/**
 * A browser as far as HTTP goes: keeps cookies, submits forms with the `Origin` that browsers send, and leaves
 * redirects to `follow`, so that tests see each answer.
 */
export class Client {
  readonly cookies = new Map<string, string>();
  /** The site's origin. */
  readonly base: string;

  constructor(base: string) {
    this.base = base;
  }

  /** The `Cookie` header; empty without cookies. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request(path, { headers });
  }

  /** Posts a form to a path; a field that is null or undefined is left out, a list is sent once per value. */
  post(path: string, fields: Fields = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request(path, { method: "POST", body: encode(fields), headers });
  }

  postJson(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request(path, {
      method: "POST",
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });
  }

  /**
   * Opens a page, fills in the form on it that holds a button of this name, and submits it as a browser without
   * JavaScript does: hidden and prefilled fields come along, and so do the button's name and value.
   */
  async submit(page: string, button: string, fields: Fields = {}): Promise<Answer> {
    const { text } = await this.get(page);
    const form = findForm(text, button);
    const action = new URL(form.action ?? page, new URL(page, this.base));
    const path = action.pathname + action.search;
    const values = { ...form.values, ...fields };
    return form.method === "post" ? this.post(path, values) : this.get(`${action.pathname}?${encode(values)}`);
  }

  /** Goes where a redirect leads, and on, until there is a page. */
  async follow(answer: Answer): Promise<Answer> {
    let page = answer;
    for (let hops = 0; page.location !== null; hops += 1) {
      if (hops === 10) throw new Error(`Redirects without end, at last to ${page.location}.`);
      page = await this.get(page.location);
    }
    return page;
  }

  /** Sends any request; `Cookie` and, where something may change, `Origin` are added unless given. */
  async request(
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const headers = new Headers(init.headers);
    if (this.cookies.size > 0 && !headers.has("Cookie")) {
      headers.set("Cookie", this.cookieHeader);
    }
    if (init.method && init.method !== "GET" && !headers.has("Origin")) headers.set("Origin", this.base);
    // An empty `Origin` stands for none: what is not a browser sends none.
    if (headers.get("Origin") === "") headers.delete("Origin");
    const response = await fetch(new URL(path, this.base), { ...init, headers, redirect: "manual" });
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

/**
 * Signs in with the form, as every player of the worlds can.
 * @returns the same client
 * @throws Error when that does not open a session
 */
export async function signIn(client: Client, email: string, password: string = PASSWORD): Promise<Client> {
  const answer = await client.post("/auth", { email, password });
  if (answer.status !== 303) throw new Error(`Signing in as ${email} was answered with ${answer.status}.`);
  return client;
}

/** Whether a browser's session is one that opens the dashboard. */
export const isSignedIn = async (client: Client) => (await client.get("/dashboard")).status === 200;

function encode(fields: Fields): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value ?? []].flat()) params.append(name, String(one));
  }
  return params;
}

interface Form {
  method: "get" | "post";
  action: string | null;
  values: Record<string, string[]>;
}

/** Finds the form with a button of this name (or value) in a page, with the values that it would send untouched. */
export function findForm(html: string, button: string): Form {
  for (const [, attributes = "", content = ""] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const pressed = [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].find(
      ([, own = "", label = ""]) => attribute(own, "aria-label") === button || textOf(label) === button,
    );
    if (!pressed) continue;
    const values: Record<string, string[]> = {};
    const add = (name: string | null, value: string) => {
      if (name) values[name] = [...(values[name] ?? []), value];
    };
    for (const [, own = ""] of content.matchAll(/<input\b([^>]*?)\/?>/gs)) {
      const type = attribute(own, "type") ?? "text";
      const isChoice = type === "radio" || type === "checkbox";
      if (type === "submit" || (isChoice && !/\schecked\b/.test(own))) continue;
      add(attribute(own, "name"), attribute(own, "value") ?? (isChoice ? "on" : ""));
    }
    for (const [, own = "", value = ""] of content.matchAll(/<textarea\b([^>]*)>(.*?)<\/textarea>/gs)) {
      add(attribute(own, "name"), decode(value.replace(/^\n/, "")));
    }
    for (const [, own = "", options = ""] of content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const all = [...options.matchAll(/<option\b([^>]*)>(.*?)<\/option>/gs)];
      const chosen = all.find(([, option = ""]) => /\sselected\b/.test(option)) ?? all[0];
      if (chosen) add(attribute(own, "name"), attribute(chosen[1] ?? "", "value") ?? textOf(chosen[2] ?? ""));
    }
    add(attribute(pressed[1] ?? "", "name"), attribute(pressed[1] ?? "", "value") ?? "");
    const method = attribute(attributes, "method")?.toLowerCase() === "post" ? "post" : "get";
    return { method, action: attribute(pressed[1] ?? "", "formaction") ?? attribute(attributes, "action"), values };
  }
  throw new Error(`The page has no form with a button “${button}”.`);
}

function attribute(attributes: string, name: string): string | null {
  const match = attributes.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`, "i"));
  return match ? decode(match[1] as string) : null;
}

/** The text of a piece of HTML as a reader sees it: no tags, entities decoded, white space collapsed. */
export function textOf(html: string): string {
  return decode(
    html
      .replace(/<(script|style)\b.*?<\/\1>/gs, " ")
      .replace(/<!--.*?-->/gs, "")
      .replace(/<[^>]*>/g, " "),
  )
    .replace(/\s+/g, " ")
    .trim();
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

function decode(text: string): string {
  return text.replace(/&(#x[\da-f]+|#\d+|\w+);/gi, (entity, code: string) => {
    if (code.startsWith("#x") || code.startsWith("#X")) return String.fromCodePoint(Number.parseInt(code.slice(2), 16));
    if (code.startsWith("#")) return String.fromCodePoint(Number(code.slice(1)));
    return ENTITIES[code] ?? entity;
  });
}
