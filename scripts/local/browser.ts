import { execFileSync, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
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
 * Chromium's features that the browser tests run without. A command line has one such list, so this one repeats what
 * Playwright disables (tests/unit/browser.test.ts compares) and adds what costs a third of the browser's CPU time in
 * headless mode: a spare renderer for each window, and pages behind the address bar that no test opens
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
];

/**
 * Finds a Chromium for the browser tests: `CHROMIUM_PATH`, or else the system's Chromium or Chrome, Playwright's own
 * download, or (on Debian, as root) Debian's package, which it installs.
 * @returns the path of its executable
 * @throws Error that says what to do
 */
export function findChromium(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) {
    if (isExecutable(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, which can't be run.`);
  }
  const found = inSystem() ?? (isExecutable(chromium.executablePath()) ? chromium.executablePath() : undefined);
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    installFromDebian();
    const installed = inSystem();
    if (installed) return installed;
  }
  throw new Error(
    "The browser tests need a Chromium. Install Chromium or Chrome, run `npx playwright install chromium`, " +
      "or name one in CHROMIUM_PATH.",
  );
}

function inSystem(): string | undefined {
  const found = NAMES.map(findOnPath).find(Boolean);
  return found ?? (process.platform === "darwin" ? MAC.find(isExecutable) : undefined);
}

/** @returns where a program of this name is on the `PATH`, if anywhere */
export function findOnPath(name: string): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

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
