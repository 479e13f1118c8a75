import { parse, serialize } from "cookie";
import { ZONE_COOKIE } from "../dates/time-zone";
import { AUTH_EVENT_COOKIE } from "../session/auth-events";

/** The cookies that scripts read and write by their names. They grant no access, and have no prefix. */
const SCRIPT_COOKIES: ReadonlySet<string> = new Set([ZONE_COOKIE, AUTH_EVENT_COOKIE]);

/** Browsers accept a cookie with this prefix only from this host over https, and send it only to this host. */
const PREFIX = "__Host-";

/**
 * Until this time, cookies are also read under their old names without the prefix, so that nobody is signed out. A
 * session lasts 30 days and visits renew it, so by then each old session has ended or has the new name.
 */
export const OLD_NAMES_END = Date.UTC(2026, 11, 24);

/**
 * The cookies of one request and those that its response will set, in one place for loaders, actions and the Worker.
 * Callers name a cookie without its prefix.
 */
export class Cookies {
  readonly #received: Record<string, string | undefined>;
  readonly #isSecure: boolean;
  readonly #readsOldNames: boolean;
  readonly #set = new Map<string, { value: string; headers: string[] }>();

  /**
   * @param options.isSecure whether browsers keep our cookies for https only: false on a developer's machine
   * @param options.now the time of the request
   */
  constructor(request: Request, { isSecure, now }: { isSecure: boolean; now: Date }) {
    this.#received = parse(request.headers.get("Cookie") ?? "");
    this.#isSecure = isSecure;
    this.#readsOldNames = now.getTime() < OLD_NAMES_END;
  }

  get(name: string): string | undefined {
    return this.#received[this.#nameOf(name)] ?? (this.#readsOldNames ? this.#received[name] : undefined);
  }

  /** Returns the value that the browser will hold after the response. */
  upcoming(name: string): string | undefined {
    return this.#set.get(name)?.value ?? this.get(name);
  }

  /**
   * Sets a cookie that requests from other sites carry only when they follow a link to us (`SameSite=Lax`). Scripts
   * can't read it, unless it is made for scripts.
   * @param options.maxAge in seconds
   */
  set(name: string, value: string, { maxAge }: { maxAge: number }): void {
    const attributes = { path: "/", sameSite: "lax", secure: this.#isSecure } as const;
    const header = serialize(this.#nameOf(name), value, { ...attributes, maxAge, httpOnly: !SCRIPT_COOKIES.has(name) });
    const headers = this.#hasOldName(name) ? [header, serialize(name, "", { ...attributes, maxAge: 0 })] : [header];
    this.#set.set(name, { value, headers });
  }

  delete(name: string): void {
    this.set(name, "", { maxAge: 0 });
  }

  /** Sets a cookie again if the browser sent it under its old name. For cookies that outlast `OLD_NAMES_END`. */
  rename(name: string, options: { maxAge: number }): void {
    const value = this.get(name);
    if (value !== undefined && this.#hasOldName(name)) this.set(name, value, options);
  }

  /** Adds the `Set-Cookie` headers to a response's headers. */
  apply(headers: Headers): void {
    for (const { headers: values } of this.#set.values()) {
      for (const value of values) headers.append("Set-Cookie", value);
    }
  }

  /** Returns the name by which the browser knows a cookie. */
  #nameOf(name: string): string {
    return this.#isSecure && !SCRIPT_COOKIES.has(name) ? PREFIX + name : name;
  }

  #hasOldName(name: string): boolean {
    return this.#nameOf(name) !== name && this.#received[name] !== undefined;
  }
}
