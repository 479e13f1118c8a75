import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Session, WebDriver } from "selenium-webdriver";
import type { Command, Executor } from "selenium-webdriver/lib/command";
import { throwDecodedError } from "selenium-webdriver/lib/error";

/** A command's parameters by name; `id` identifies an element. */
type Parameters = Record<string, unknown>;

/** The Marionette name of each WebDriver command, and the parameters that Marionette needs in addition. */
const COMMANDS: Readonly<Record<string, [name: string, extra?: (parameters: Parameters) => Parameters]>> = {
  get: ["WebDriver:Navigate"],
  getCurrentUrl: ["WebDriver:GetCurrentURL"],
  findElements: ["WebDriver:FindElements"],
  findChildElements: ["WebDriver:FindElements", ({ id }) => ({ element: id })],
  getElementText: ["WebDriver:GetElementText"],
  getAccessibleName: ["WebDriver:GetComputedLabel"],
  isElementDisplayed: ["WebDriver:IsElementDisplayed"],
  clickElement: ["WebDriver:ElementClick"],
  clearElement: ["WebDriver:ElementClear"],
  sendKeysToElement: ["WebDriver:ElementSendKeys"],
  executeScript: ["WebDriver:ExecuteScript"],
  getCookies: ["WebDriver:GetCookies"],
  deleteCookie: ["WebDriver:DeleteCookie"],
  setWindowRect: ["WebDriver:SetWindowRect"],
  screenshot: ["WebDriver:TakeScreenshot", () => ({ full: false })],
  quit: ["Marionette:Quit", () => ({ flags: ["eForceQuit"] })],
};

/**
 * Opens a WebDriver session with a Firefox that was started with `--marionette`, without geckodriver in between.
 * @param port where the browser listens on 127.0.0.1
 */
export async function openMarionette(port: number): Promise<WebDriver> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const executor = new MarionetteExecutor(socket);
  const { sessionId, capabilities } = (await executor.send("WebDriver:NewSession", {})) as {
    sessionId: string;
    capabilities: object;
  };
  return new WebDriver(new Session(sessionId, capabilities), executor, () => socket.destroy());
}

/**
 * Carries out WebDriver's commands over Marionette, Firefox's own protocol: JSON in packets that begin with the length
 * in bytes and a colon (https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html).
 */
class MarionetteExecutor implements Executor {
  readonly #socket: Socket;
  readonly #pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: unknown) => void }>();
  #sent = 0;
  #received = Buffer.alloc(0);

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (data) => this.#receive(data));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      for (const { reject } of this.#pending.values()) reject(new Error("Firefox closed the connection."));
      this.#pending.clear();
    });
  }

  /** @throws Error for commands that `COMMANDS` lacks, and for errors that the browser reports */
  async execute(command: Command): Promise<unknown> {
    const [name, extra] = COMMANDS[command.getName()] ?? [];
    if (!name) throw new Error(`marionette.ts has no “${command.getName()}” yet: add it to COMMANDS.`);
    const { sessionId: _, ...parameters } = command.getParameters() as Parameters;
    const { id } = parameters;
    const element = typeof id === "object" && id !== null ? Object.values(id)[0] : id;
    const own = { ...parameters, ...(element !== undefined && { id: element }) };
    const result = await this.send(name, { ...own, ...extra?.(own) });
    // Marionette returns lists and some objects (a session, the window bounds) as they are, and wraps other results in
    // `{ value }`.
    return typeof result === "object" && result !== null && "value" in result ? result.value : result;
  }

  send(name: string, parameters: Parameters): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#sent += 1;
      this.#pending.set(this.#sent, { resolve, reject });
      const packet = JSON.stringify([0, this.#sent, name, parameters]);
      this.#socket.write(`${Buffer.byteLength(packet)}:${packet}`);
    });
  }

  #receive(data: Buffer): void {
    this.#received = Buffer.concat([this.#received, data]);
    for (;;) {
      const colon = this.#received.indexOf(":");
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(colon, 0)));
      if (colon === -1 || this.#received.length < end) return;
      this.#answer(JSON.parse(this.#received.subarray(colon + 1, end).toString()));
      this.#received = this.#received.subarray(end);
    }
  }

  /** @param packet either the greeting, which is an object, or a response: `[1, id, error, result]` */
  #answer(
    packet: object | [type: number, id: number, error: { error: string; message: string } | null, result: unknown],
  ) {
    if (!Array.isArray(packet)) return;
    const [, id, failure, result] = packet;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (!failure) return pending?.resolve(result);
    try {
      throwDecodedError(failure);
    } catch (error) {
      pending?.reject(error);
    }
  }
}
