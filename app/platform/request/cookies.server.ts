import { parse, type SerializeOptions, serialize } from "cookie";

/** The cookies of one request and those its response will set, in one place for loaders, actions and the Worker. */
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

  /** What the browser will hold once it has the response. */
  upcoming(name: string): string | undefined {
    return this.#set.get(name)?.value ?? this.get(name);
  }

  /**
   * Sets a cookie that scripts can't read, unless `httpOnly` is false, and that other sites don't send. `maxAge` is in
   * seconds.
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
