import { parse, type SerializeOptions, serialize } from "cookie";

/**
 * The cookies of one request and those that its response will set, in one place for loaders, actions and the Worker.
 */
export class Cookies {
  readonly #received: Record<string, string | undefined>;
  readonly #secure: boolean;
  readonly #set = new Map<string, { value: string; header: string }>();

  constructor(request: Request) {
    this.#received = parse(request.headers.get("Cookie") ?? "");
    this.#secure = new URL(request.url).protocol === "https:";
  }

  get(name: string): string | undefined {
    return this.#received[name];
  }

  /** Returns the value that the browser will hold after the response. */
  upcoming(name: string): string | undefined {
    return this.#set.get(name)?.value ?? this.get(name);
  }

  /**
   * Sets a cookie that scripts can't read, unless `httpOnly` is false, and that isn't sent with requests from other
   * sites. `maxAge` is in seconds.
   */
  set(name: string, value: string, options: Pick<SerializeOptions, "maxAge" | "httpOnly"> = {}): void {
    const attributes = { path: "/", httpOnly: true, sameSite: "lax", secure: this.#secure, ...options } as const;
    this.#set.set(name, { value, header: serialize(name, value, attributes) });
  }

  delete(name: string): void {
    this.set(name, "", { maxAge: 0 });
  }

  /** Adds the `Set-Cookie` headers to a response's headers. */
  apply(headers: Headers): void {
    for (const { header } of this.#set.values()) headers.append("Set-Cookie", header);
  }
}
