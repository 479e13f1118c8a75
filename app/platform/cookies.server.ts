import { parse, type SerializeOptions, serialize } from "cookie";

/** The cookies of one request and those its response will set, in one place for loaders, actions and the Worker. */
export class Cookies {
  readonly #received: Record<string, string | undefined>;
  readonly #secure: boolean;
  readonly #set = new Map<string, string>();

  constructor(request: Request) {
    this.#received = parse(request.headers.get("Cookie") ?? "");
    this.#secure = new URL(request.url).protocol === "https:";
  }

  get(name: string): string | undefined {
    return this.#received[name];
  }

  /** Sets a cookie that scripts can't read and other sites don't send. `maxAge` is in seconds. */
  set(name: string, value: string, options: Pick<SerializeOptions, "maxAge"> = {}): void {
    this.#set.set(
      name,
      serialize(name, value, { path: "/", httpOnly: true, sameSite: "lax", secure: this.#secure, ...options }),
    );
  }

  delete(name: string): void {
    this.set(name, "", { maxAge: 0 });
  }

  /** Adds the `Set-Cookie` headers to a response's headers. */
  apply(headers: Headers): void {
    for (const cookie of this.#set.values()) headers.append("Set-Cookie", cookie);
  }
}
