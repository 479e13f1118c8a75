import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { run } from "./children";

/**
 * Chromium without the parts of a browser that only a screen needs. Debian has it as a package of its own; the browser
 * tests take a fifth less CPU time with it than with `chromium --headless`.
 */
const HEADLESS_SHELL = "chromium-headless-shell";
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
/** The timeout of each installation step, in milliseconds. */
const INSTALL_TIMEOUT = 120_000;
const MAC = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The command line arguments of all Chromiums here. */
export const CHROMIUM_ARGS: readonly string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  // Background requests hang on machines without internet access.
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The features of Chromium that are disabled in the browser tests. A second `--disable-features` would replace
 * Playwright's, so this list repeats that one (tests/unit/browser.test.ts compares them). It adds features that cost a
 * third of the browser's CPU time in headless mode: a spare renderer for each window, and the address bar's own pages
 * (docs/decisions/0043-a-shorter-test-run.md). Versions that don't know a feature ignore its name.
 */
const DISABLED_FEATURES: readonly string[] = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "TcpPortRandomizationWin",
  "ThirdPartyStoragePartitioning",
  "msEdgeUpdateLaunchServicesPreferredVersion",
  "msForceBrowserSignIn",
  // Ours.
  "SpareRendererForSitePerProcess",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "WebUIOmniboxPopup",
];

/** The further arguments of the browser tests' Chromium. */
export const TEST_ARGS: readonly string[] = [
  `--disable-features=${DISABLED_FEATURES.join(",")}`,
  // Screenshots need these: glyphs are drawn from their outlines, regardless of the machine's font settings.
  "--font-render-hinting=none",
  "--disable-lcd-text",
  // A test ends before optimised code has paid for its compilation, so this saves 5 % of the CPU time
  // (docs/decisions/0074).
  "--js-flags=--no-opt --no-maglev",
];

/**
 * Finds the Chromium of the browser tests: the one that `CHROMIUM_PATH` names, or else the system's headless shell, or
 * else one that `findChromium` finds.
 * @returns the path of its executable
 * @throws Error that says what to do
 */
export const findTestChromium = (): string => named() ?? findOnPath(HEADLESS_SHELL) ?? findChromium();

/**
 * Finds a whole Chromium: `CHROMIUM_PATH`, or else the system's Chromium or Chrome, Playwright's own download, or (on
 * Debian, as root) Debian's package, which it installs. If there is none, finds the system's headless shell instead.
 * @returns the path of its executable
 * @throws Error that says what to do
 */
export function findChromium(): string {
  const wanted = named();
  if (wanted) return wanted;
  const found = findInstalled();
  if (found) return found;
  if (isDebianRoot()) {
    installFromDebian();
    const installed = inSystem();
    if (installed) return installed;
  }
  const shell = findOnPath(HEADLESS_SHELL);
  if (shell) return shell;
  throw new Error(
    "The browser tests need a Chromium. Install Chromium or Chrome, run `npx playwright install chromium`, " +
      "or name one in CHROMIUM_PATH.",
  );
}

/** Returns the path in `CHROMIUM_PATH`, if it is set. */
function named(): string | undefined {
  const path = process.env.CHROMIUM_PATH;
  if (path && !isExecutable(path)) throw new Error(`CHROMIUM_PATH names ${path}, which can't be run.`);
  return path || undefined;
}

const findInstalled = (): string | undefined =>
  inSystem() ?? (isExecutable(chromium.executablePath()) ? chromium.executablePath() : undefined);

function inSystem(): string | undefined {
  const found = NAMES.map(findOnPath).find(Boolean);
  return found ?? (process.platform === "darwin" ? MAC.find(isExecutable) : undefined);
}

/** Finds a program on the `PATH`. */
export function findOnPath(name: string): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

/**
 * On Debian, as root, installs the browsers for the browser tests if this machine lacks them: a whole Chromium and the
 * headless shell. Does nothing elsewhere, or if `CHROMIUM_PATH` names a browser. If the installation fails, the tests
 * use the browsers that exist.
 */
export async function installTestBrowsers(): Promise<void> {
  if (process.env.CHROMIUM_PATH || !isDebianRoot()) return;
  const missing = [...(findInstalled() ? [] : ["chromium"]), ...(findOnPath(HEADLESS_SHELL) ? [] : [HEADLESS_SHELL])];
  if (missing.length === 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", "--no-remove", ...missing],
  ]) {
    const { code, output } = await run("apt-get", args, { capture: true, env, timeout: INSTALL_TIMEOUT });
    if (code !== 0) console.error(`apt-get ${args[0]} failed, so ${missing.join(" and ")} may be missing. ${output}`);
  }
}

const isDebianRoot = () => process.getuid?.() === 0 && existsSync("/etc/debian_version");

function installFromDebian(): void {
  console.error("No browser found: installing Debian's chromium …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  // apt's output goes to standard error, because standard output is for the tests' report.
  spawnSync("apt-get", ["update", "-qq"], { env, stdio: ["ignore", 2, 2] });
  execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], {
    env,
    stdio: ["ignore", 2, 2],
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
