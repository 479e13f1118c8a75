import { parse, serialize } from "cookie";
import { ZONE_COOKIE } from "../dates/time-zone";
import { AUTH_EVENT_COOKIE } from "../session/auth-events";

/** The cookies that scripts read and write by their names. They grant no access, and have no prefix. */
const SCRIPT_COOKIES: ReadonlySet<string> = new Set([ZONE_COOKIE, AUTH_EVENT_COOKIE]);

/** Browsers accept a cookie with this prefix only from this host over https, and send it only to this host. */
const PREFIX = "__Host-";

/**
 * The cookies of one request and those that its response will set, in one place for loaders, actions and the Worker.
 * Callers name a cookie without its prefix.
 */
export class Cookies {
  readonly #received: Record<string, string | undefined>;
  readonly #isSecure: boolean;
  readonly #set = new Map<string, { value: string; header: string }>();

  /**
   * @param options.isSecure whether browsers keep our cookies for https only: false on a developer's machine
   */
  constructor(request: Request, { isSecure }: { isSecure: boolean }) {
    this.#received = parse(request.headers.get("Cookie") ?? "");
    this.#isSecure = isSecure;
  }

  get(name: string): string | undefined {
    return this.#received[this.#nameOf(name)];
  }

  /** Returns the value that the browser will hold after the response. */
  upcoming(name: string): string | undefined {
    return this.#set.get(name)?.value ?? this.get(name);
  }

  /**
   * Sets a cookie that requests from other sites carry only when they follow a link to us (`SameSite=Lax`). Scripts
   * can't read it, unless it is one of `SCRIPT_COOKIES`.
   * @param options.maxAge in seconds
   */
  set(name: string, value: string, { maxAge }: { maxAge: number }): void {
    const header = serialize(this.#nameOf(name), value, {
      path: "/",
      sameSite: "lax",
      secure: this.#isSecure,
      maxAge,
      httpOnly: !SCRIPT_COOKIES.has(name),
    });
    this.#set.set(name, { value, header });
  }

  delete(name: string): void {
    this.set(name, "", { maxAge: 0 });
  }

  /** Adds the `Set-Cookie` headers to a response's headers. */
  apply(headers: Headers): void {
    for (const { header } of this.#set.values()) headers.append("Set-Cookie", header);
  }

  /** Returns the name by which the browser knows a cookie. */
  #nameOf(name: string): string {
    return this.#isSecure && !SCRIPT_COOKIES.has(name) ? PREFIX + name : name;
  }
}
