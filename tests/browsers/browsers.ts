import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";
import { findOnPath } from "../../scripts/local/browser";
import { type Child, startChild } from "../../scripts/local/children";
import { freePort } from "../../scripts/local/ports";
import { eventually } from "../support/eventually";
import { openMarionette } from "./marionette";

/**
 * The time that a browser may take to accept commands, in milliseconds. On a busy machine Firefox needs twenty seconds.
 */
const START_TIMEOUT = 90_000;

/** The Debian package of each program that the tests start. */
const PACKAGES: Readonly<Record<string, string>> = {
  "firefox-esr": "firefox-esr",
  WebKitWebDriver: "webkit2gtk-driver",
  Xvfb: "xvfb",
};

export const BROWSERS = ["Firefox", "WebKitGTK"] as const;

type BrowserName = (typeof BROWSERS)[number];

export interface BrowserOptions {
  /** Whether pages may run scripts. */
  scripts: boolean;
}

export interface Browser {
  driver: WebDriver;
  /** The browser's output so far. Firefox's includes uncaught errors of pages. */
  output(): string;
  /** Ends the browser and its helper processes, and removes its profile. */
  stop(): Promise<void>;
}

/** @throws Error that names the packages to install, when one of the programs is missing */
export function expectBrowsers(): void {
  const missing = Object.keys(PACKAGES).filter((program) => !findOnPath(program));
  if (missing.length === 0) return;
  const packages = missing.map((program) => PACKAGES[program]).join(" ");
  throw new Error(
    `These tests need Debian's packages ${Object.values(PACKAGES).join(", ")}; ${missing.join(" and ")} can't be found. ` +
      `Install what is missing: apt-get install ${packages}`,
  );
}

/** Starts a browser with a temporary profile, 1280 × 900 pixels large. */
export async function startBrowser(name: BrowserName, options: BrowserOptions): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), "lineup-browser-"));
  const children: Child[] = [];
  let output = "";
  const start = (command: string, args: string[], env: Record<string, string> = {}): Child => {
    const child = startChild(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      // Browsers also keep files in the user's home folder, so use a temporary one.
      env: { PATH: process.env.PATH, LANG: "C.UTF-8", TZ: "Europe/Berlin", HOME: home, ...env },
    });
    for (const stream of [child.process.stdout, child.process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    children.unshift(child);
    return child;
  };
  const stop = async () => {
    for (const child of children) await child.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const driver = await { Firefox: startFirefox, WebKitGTK: startWebKit }[name](home, options, start);
    await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 });
    return {
      driver,
      output: () => output,
      stop: async () => {
        // A crashed browser accepts no commands. Its processes still have to be ended.
        await driver.quit().catch(() => undefined);
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw new Error(`${name} did not start. ${output.slice(-2_000).trim()}`, { cause: error });
  }
}

type Start = (command: string, args: string[], env?: Record<string, string>) => Child;

async function startFirefox(home: string, { scripts }: BrowserOptions, start: Start): Promise<WebDriver> {
  const profile = join(home, "profile");
  const preferences: Record<string, string | number | boolean> = {
    "javascript.enabled": scripts,
    // Firefox chooses a free port and writes it to `MarionetteActivePort`.
    "marionette.port": 0,
    "intl.accept_languages": "en-GB",
    // Writes pages' errors to the process's output.
    "browser.dom.window.dump.enabled": true,
  };
  mkdirSync(profile);
  writeFileSync(
    join(profile, "user.js"),
    Object.entries(preferences)
      .map(([key, value]) => `user_pref(${JSON.stringify(key)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  const args = ["--marionette", "--headless", "--no-remote", "--profile", profile];
  // Without this, Firefox's crash helper would outlive the browser.
  start("firefox-esr", args, { MOZ_CRASHREPORTER_DISABLE: "1" });
  const portFile = join(profile, "MarionetteActivePort");
  const port = await eventually(
    () => (existsSync(portFile) && Number(readFileSync(portFile, "utf8"))) || undefined,
    START_TIMEOUT,
  );
  return openMarionette(port);
}

async function startWebKit(_home: string, { scripts }: BrowserOptions, start: Start): Promise<WebDriver> {
  // Xvfb chooses a free display and writes its number to standard output.
  const screen = start("Xvfb", ["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]);
  let display = "";
  screen.process.stdout?.on("data", (text: string) => (display += text));
  await eventually(() => (display.endsWith("\n") ? display : undefined), START_TIMEOUT);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  start("WebKitWebDriver", [`--port=${port}`], { DISPLAY: `:${display.trim()}`, GDK_BACKEND: "x11" });
  await eventually(async () => (await fetch(`${url}/status`)).ok || undefined, START_TIMEOUT);
  const capabilities = new Capabilities({
    browserName: "MiniBrowser",
    "webkitgtk:browserOptions": { args: ["--automation", `--enable-javascript=${scripts}`] },
  });
  return new Builder().usingServer(url).withCapabilities(capabilities).build();
}
