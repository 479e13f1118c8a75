import { By, type WebDriver, type WebElement } from "selenium-webdriver";
import { ZONE_COOKIE } from "../../app/platform/dates/time-zone";
import { PASSWORD } from "../../scripts/worlds";
import { eventually } from "../support/eventually";
import { type Browser, type BrowserOptions, startBrowser } from "./browsers";

/** The time that a visitor waits for the page to change, in milliseconds. */
const TIMEOUT = 20_000;

/** The line that Firefox prints for a page's uncaught error. WebKitGTK prints none. */
const PAGE_ERROR = /^JavaScript error: http/;

/** A selector for the elements of each role. `Visitor` picks one of them by its accessible name. */
const ROLES = {
  link: "a[href]",
  button: "button:enabled",
  field: "input:not([type=hidden]), textarea, select",
};

/** A visitor with a browser, who finds elements by their accessible names, as the browser computes them. */
export class Visitor {
  readonly #browser: Browser;
  readonly #driver: WebDriver;
  readonly #origin: string;
  readonly #scripts: boolean;

  private constructor(browser: Browser, origin: string, { scripts }: BrowserOptions) {
    this.#browser = browser;
    this.#driver = browser.driver;
    this.#origin = origin;
    this.#scripts = scripts;
  }

  /**
   * Starts a browser and visits the site once. On a first visit, a script stores the browser's time zone in a cookie
   * and may load the page's data again, with times in that zone. The journeys begin once the cookie is there.
   */
  static async arrive(
    name: Parameters<typeof startBrowser>[0],
    origin: string,
    options: BrowserOptions,
  ): Promise<Visitor> {
    const visitor = new Visitor(await startBrowser(name, options), origin, options);
    try {
      await visitor.open("/auth");
      if (options.scripts) {
        await eventually(async () => ((await visitor.#cookies()).includes(ZONE_COOKIE) ? true : undefined), TIMEOUT);
      }
      return visitor;
    } catch (error) {
      await visitor.leave();
      throw error;
    }
  }

  /** Ends the browser. @returns the lines of its output that report errors of the site's pages */
  async leave(): Promise<string[]> {
    await this.#browser.stop();
    return this.#browser
      .output()
      .split("\n")
      .filter((line) => PAGE_ERROR.test(line));
  }

  /** Opens a page of the site. If pages may run scripts, waits until React has taken over the page. */
  async open(path: string): Promise<void> {
    await this.#driver.get(`${this.#origin}${path}`);
    if (this.#scripts) {
      await eventually(async () => (await this.#all("html[data-hydrated]"))[0], TIMEOUT);
    }
  }

  async signIn(email: string): Promise<void> {
    await this.open("/");
    for (const name of await this.#cookies()) {
      if (name !== ZONE_COOKIE) await this.#driver.manage().deleteCookie(name);
    }
    await this.open("/auth");
    await this.fill("Email", email);
    await this.fill("Password", PASSWORD);
    await this.click("button", "Sign In");
    await this.waitForPath("/dashboard");
  }

  async click(role: "link" | "button", name: string): Promise<void> {
    await this.#try(`clicking the ${role} “${name}”`, async () => (await this.#find(role, name)).click());
  }

  /** Replaces the text in a text box. */
  async fill(name: string, text: string): Promise<void> {
    await this.#try(`filling in “${name}”`, async () => {
      const field = await this.#find("field", name);
      await field.clear();
      await field.sendKeys(text);
    });
  }

  async select(name: string, option: string): Promise<void> {
    await this.#try(`selecting “${option}” in “${name}”`, async () => {
      const options = await (await this.#find("field", name)).findElements(By.css("option"));
      for (const one of options) if ((await one.getText()) === option) return one.click();
      throw new Error("There is no such option.");
    });
  }

  /** Chooses a radio button by clicking its label, which covers it. */
  async choose(label: string): Promise<void> {
    await this.#try(`choosing “${label}”`, async () => {
      for (const one of await this.#all("label:has(input[type=radio])")) {
        if ((await one.getText()).trim() === label) return one.click();
      }
      throw new Error("There is no such choice.");
    });
  }

  /** The path that a link leads to. */
  async addressOf(link: string): Promise<string> {
    const href = await this.#try(`looking at the link “${link}”`, async () =>
      this.#driver.executeScript<string>("return arguments[0].href", await this.#find("link", link)),
    );
    return href.slice(this.#origin.length);
  }

  /** Waits until the page shows these words anywhere. */
  async waitForText(words: string): Promise<void> {
    await this.#try(`seeing “${words}”`, async () => {
      if (!(await this.#text()).includes(words)) throw new Error("It isn't there.");
    });
  }

  /** Waits until the address has this path, with any query and fragment. */
  async waitForPath(path: string): Promise<void> {
    await this.#try(`arriving at ${path}`, async () => {
      const { pathname } = new URL(await this.#driver.getCurrentUrl());
      if (pathname !== path) throw new Error("It is another page.");
    });
  }

  /** Waits until the open thread shows exactly these messages, in this order. */
  async waitForMessages(messages: readonly string[]): Promise<void> {
    await this.#try(`seeing the messages ${messages.join(" / ")}`, async () => {
      const said = await Promise.all((await this.#all("[data-message]")).map((message) => message.getText()));
      const fits = said.length === messages.length && messages.every((text, index) => said[index]?.includes(text));
      if (!fits) throw new Error(`The thread says: ${said.join(" / ")}`);
    });
  }

  /** Marks the open document. A new document doesn't have the mark. */
  async markDocument(): Promise<void> {
    await this.#driver.executeScript("document.documentElement.dataset.marked = 'yes'");
  }

  async isMarkedDocument(): Promise<boolean> {
    return (await this.#all("html[data-marked]")).length > 0;
  }

  async #find(role: keyof typeof ROLES, name: string): Promise<WebElement> {
    for (const element of await this.#all(ROLES[role])) {
      if ((await element.isDisplayed()) && (await element.getAccessibleName()) === name) return element;
    }
    // Browsers leave out list items that are out of view until the page has settled, which it never does without
    // JavaScript. So look further down, as a player would, and then at the top again.
    await this.#driver.executeScript(
      "scrollY + innerHeight >= document.body.scrollHeight ? scrollTo(0, 0) : scrollBy(0, innerHeight / 2)",
    );
    throw new Error("It isn't there.");
  }

  #all(css: string): Promise<WebElement[]> {
    return this.#driver.findElements(By.css(css));
  }

  async #cookies(): Promise<string[]> {
    return (await this.#driver.manage().getCookies()).map(({ name }) => name);
  }

  #text(): Promise<string> {
    return this.#driver.executeScript<string>("return document.body.innerText");
  }

  /** Retries until an attempt succeeds. @throws Error with the page's address and text if none succeeds in time */
  async #try<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    try {
      await eventually(async () => {
        result = await attempt();
        return true;
      }, TIMEOUT);
    } catch (error) {
      const [address, text] = await Promise.all([this.#driver.getCurrentUrl(), this.#text()]).catch(() => ["?", ""]);
      throw new Error(`${what} failed at ${address}, which says:\n${text?.slice(0, 1_500)}`, { cause: error });
    }
    return result as T;
  }
}
