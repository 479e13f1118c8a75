import { By, type WebDriver, type WebElement } from "selenium-webdriver";
import { ZONE_COOKIE } from "../../app/platform/dates/time-zone";
import { PASSWORD } from "../../scripts/worlds";
import { eventually } from "../support/eventually";
import { type Browser, type BrowserOptions, startBrowser } from "./browsers";

/** How long something may take to show, in milliseconds. */
const TIMEOUT = 20_000;

/** How Firefox writes an uncaught error of a page down; WebKitGTK writes none. */
const PAGE_ERROR = /^JavaScript error: http/;

/** Where the elements of a role are looked for; the browser itself says what they are called. */
const ROLES = {
  link: "a[href]",
  button: "button:enabled",
  field: "input:not([type=hidden]), textarea, select",
};

/** Someone with a browser, who finds things by the names that the browser gives them in its accessibility tree. */
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
   * Starts a browser of one's own. On a first visit the site loads a page twice, the second time with times in the
   * browser's time zone; the journeys begin after that.
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

  /** @returns the lines in which the browser reports errors of the site's pages */
  async leave(): Promise<string[]> {
    await this.#browser.stop();
    return this.#browser
      .output()
      .split("\n")
      .filter((line) => PAGE_ERROR.test(line));
  }

  /** Opens an address of the site, and waits until React has taken over the page. */
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
    await this.isAt("/dashboard");
  }

  async click(role: "link" | "button", name: string): Promise<void> {
    await this.#try(`clicking the ${role} “${name}”`, async () => (await this.#find(role, name)).click());
  }

  /** Types into a text box, in place of what it holds. */
  async fill(name: string, text: string): Promise<void> {
    await this.#try(`filling “${name}” in`, async () => {
      const field = await this.#find("field", name);
      await field.clear();
      await field.sendKeys(text);
    });
  }

  async select(name: string, option: string): Promise<void> {
    await this.#try(`selecting “${option}” of “${name}”`, async () => {
      const options = await (await this.#find("field", name)).findElements(By.css("option"));
      for (const one of options) if ((await one.getText()) === option) return one.click();
      throw new Error("There is no such option.");
    });
  }

  /** Chooses a radio button by the label that is drawn in its place. */
  async choose(label: string): Promise<void> {
    await this.#try(`choosing “${label}”`, async () => {
      for (const one of await this.#all("label:has(input[type=radio])")) {
        if ((await one.getText()).trim() === label) return one.click();
      }
      throw new Error("There is no such choice.");
    });
  }

  /** Where a link leads within the site. */
  async addressOf(link: string): Promise<string> {
    const href = await this.#try(`looking at the link “${link}”`, async () =>
      this.#driver.executeScript<string>("return arguments[0].href", await this.#find("link", link)),
    );
    return href.slice(this.#origin.length);
  }

  /** Waits until the page shows words, wherever. */
  async sees(words: string): Promise<void> {
    await this.#try(`seeing “${words}”`, async () => {
      if (!(await this.#text()).includes(words)) throw new Error("It isn't there.");
    });
  }

  /** Waits until the address is a path of the site, whatever its query and fragment are. */
  async isAt(path: string): Promise<void> {
    await this.#try(`arriving at ${path}`, async () => {
      const { pathname } = new URL(await this.#driver.getCurrentUrl());
      if (pathname !== path) throw new Error("It is another page.");
    });
  }

  /** Waits until the thread that is open says exactly this, in this order. */
  async hears(messages: readonly string[]): Promise<void> {
    await this.#try(`hearing ${messages.join(" / ")}`, async () => {
      const said = await Promise.all((await this.#all("[data-message]")).map((message) => message.getText()));
      const fits = said.length === messages.length && messages.every((text, index) => said[index]?.includes(text));
      if (!fits) throw new Error(`The thread says: ${said.join(" / ")}`);
    });
  }

  /** Puts a mark on the document that is open, which is gone with it. */
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

  /** Tries again until it works; says where the visitor was if it never does. */
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
