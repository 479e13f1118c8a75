import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, CDPSession, Page, Response } from "@playwright/test";
import type { MeasuredAddress } from "../support/measured-pages";

export interface Visitor {
  browser: Browser;
  url: string;
  /** The factor by which the processor is slowed down. */
  slowdown: number;
  hasJavaScript: boolean;
  cookies: readonly { name: string; value: string }[];
  storage: Record<string, string>;
}

interface Value {
  value: number;
  unit: string;
}

/** The longest time that a page may take, in milliseconds. */
const PATIENCE = 40_000;
/** A network is quiet after this long without a request, in milliseconds. */
const QUIET = 500;

/* Scripts for the page are strings: in functions, the compiler would call helpers that the page doesn't have. */

/** Notes when the first item is painted, and when the page is hydrated. */
const watchScript = (item: string) => `(() => {
  const marks = (window.benchMarks = {});
  const look = () => {
    const box = document.querySelector(${JSON.stringify(item)})?.getBoundingClientRect();
    if (box && box.height > 0) requestAnimationFrame(() => { marks.item = performance.now(); });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  new MutationObserver((_, observer) => {
    if (!document.documentElement?.hasAttribute("data-hydrated")) return;
    marks.interactive = performance.now();
    observer.disconnect();
  }).observe(document, { attributes: true, childList: true, subtree: true });
})()`;

const TIMINGS = `(() => {
  const observer = new PerformanceObserver(() => {});
  observer.observe({ type: "largest-contentful-paint", buffered: true });
  const [navigation] = performance.getEntriesByType("navigation");
  return {
    // Of the page itself, not of the Early Hints before it.
    ttfb: navigation.finalResponseHeadersStart || navigation.responseStart,
    fcp: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
    lcp: observer.takeRecords().at(-1)?.startTime ?? null,
  };
})()`;

/** The files loaded by Early Hints, with the bytes of their compressed bodies: their requests report no size. */
const HINTED = `performance.getEntriesByType("resource")
  .filter(({ initiatorType }) => initiatorType === "early-hints")
  .map(({ name, encodedBodySize }) => [name, encodedBodySize])`;

/** Opens a page for the first time, in a browser with an empty cache. */
export async function measureVisit(
  visitor: Visitor,
  { path, item, isPublic }: MeasuredAddress,
): Promise<Record<string, Value>> {
  const { context, page, session } = await openBrowser(visitor, !isPublic);
  try {
    const network = watchNetwork(page, session);
    await session.send("Network.enable");
    const scripts: Response[] = [];
    page.on("response", (one) => {
      if (one.request().resourceType() === "script") scripts.push(one);
    });
    if (visitor.hasJavaScript) await page.addInitScript(watchScript(item));
    const response = await page.goto(visitor.url + path, { waitUntil: "commit" });
    const marks = visitor.hasJavaScript ? await waitForMarks(page, path !== "/") : await pollForItem(page, item);
    await network.waitUntilQuiet();
    const { ttfb, fcp, lcp } = (await page.evaluate(TIMINGS)) as Record<"ttfb" | "fcp" | "lcp", number>;
    const milliseconds = {
      TTFB: ttfb,
      FCP: fcp,
      LCP: lcp,
      // An item in the document is visible with the first paint at the earliest.
      "first item visible": Math.max(marks.item, fcp),
      ...(visitor.hasJavaScript && { interactive: Math.max(marks.interactive, marks.item) }),
      quiet: network.lastEnd(),
    };
    for (const [url, size] of (await page.evaluate(HINTED)) as [string, number][]) network.addHinted(url, size);
    const bytes = network.bytes();
    const bodies = await Promise.all(scripts.map((script) => script.body()));
    const html = (await response?.body())?.byteLength ?? 0;
    const figures: Record<string, Value> = {
      requests: { value: network.requests(), unit: "" },
      // Counted as in the budgets: each body is compressed by itself.
      JavaScript: { value: bodies.reduce((sum, body) => sum + gzipSync(body).byteLength, 0) / 1_000, unit: "kB" },
      HTML: { value: html / 1_000, unit: "kB" },
    };
    for (const [name, value] of Object.entries(milliseconds)) {
      if (value !== null) figures[name] = { value, unit: "ms" };
    }
    for (const [kind, value] of Object.entries(bytes)) figures[`${kind} bytes`] = { value: value / 1_000, unit: "kB" };
    return figures;
  } finally {
    await context.close();
  }
}

/**
 * Opens a page, waits until it is quiet, and clicks through tabs.
 * @returns for each click, the time until the next page's first item is painted, in milliseconds
 */
export async function measureClick(
  visitor: Visitor,
  first: MeasuredAddress,
  clicks: readonly MeasuredAddress[],
): Promise<number[]> {
  const { context, page, session } = await openBrowser(visitor, true);
  try {
    const network = watchNetwork(page, session);
    await session.send("Network.enable");
    await page.addInitScript(watchScript(first.item));
    await page.goto(visitor.url + first.path, { waitUntil: "commit" });
    await waitForMarks(page, true);
    const times: number[] = [];
    for (const { path, item } of clicks) {
      await network.waitUntilQuiet();
      const pathname = path.split("?")[0];
      await page.evaluate(`(() => {
        window.benchClick = new Promise((resolve) => addEventListener("click", () => {
          const started = performance.now();
          const look = () => {
            const box = document.querySelector(${JSON.stringify(item)})?.getBoundingClientRect();
            if (location.pathname === ${JSON.stringify(pathname)} && box && box.height > 0)
              requestAnimationFrame(() => resolve(performance.now() - started));
            else requestAnimationFrame(look);
          };
          look();
        }, { capture: true, once: true }));
      })()`);
      await page.locator(`a[href="${pathname}"]:visible`).first().click();
      times.push((await page.evaluate("window.benchClick")) as number);
    }
    return times;
  } finally {
    await context.close();
  }
}

async function openBrowser(
  { browser, url, slowdown, hasJavaScript, cookies, storage }: Visitor,
  isSignedIn: boolean,
): Promise<{ context: BrowserContext; page: Page; session: CDPSession }> {
  const context = await browser.newContext({
    javaScriptEnabled: hasJavaScript,
    locale: "en-GB",
    serviceWorkers: "block",
    viewport: { width: 1280, height: 800 },
  });
  if (isSignedIn) {
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })));
    const items = JSON.stringify(Object.entries(storage));
    await context.addInitScript(`for (const [name, value] of ${items}) localStorage.setItem(name, value);`);
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return { context, page, session };
}

async function waitForMarks(page: Page, hasScripts: boolean): Promise<{ item: number; interactive: number }> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const marks = (await page.evaluate("window.benchMarks").catch(() => undefined)) as
      | { item?: number; interactive?: number }
      | undefined;
    const { item, interactive = hasScripts ? undefined : item } = marks ?? {};
    if (item !== undefined && interactive !== undefined) return { item, interactive };
    if (Date.now() > deadline) throw new Error(`${page.url()} shows ${JSON.stringify(marks)}.`);
    await pause(50);
  }
}

/** Asks from outside, every 20 ms, because a page without JavaScript can't watch itself. */
async function pollForItem(page: Page, item: string): Promise<{ item: number; interactive: number }> {
  const deadline = Date.now() + PATIENCE;
  const look = `({
    now: document.querySelector(${JSON.stringify(item)}) ? performance.now() : null,
    isPainted: performance.getEntriesByName("first-contentful-paint").length > 0,
  })`;
  let found: number | null = null;
  for (;;) {
    const seen = (await page.evaluate(look).catch(() => null)) as { now: number | null; isPainted: boolean } | null;
    found ??= seen?.now ?? null;
    if (found !== null && seen?.isPainted) return { item: found, interactive: found };
    if (Date.now() > deadline) throw new Error(`${page.url()} has no ${item}.`);
    await pause(20);
  }
}

/** Counts requests and bytes on the wire, by the browser's own account. */
function watchNetwork(page: Page, session: CDPSession) {
  const kinds = new Map<string, string>();
  const kindByUrl = new Map<string, string>();
  const sums: Record<string, number> = {};
  let requests = 0;
  let underWay = 0;
  let begun = 0;
  let end = 0;
  let changed = Date.now();
  session.on("Network.requestWillBeSent", ({ requestId, request, type, timestamp, redirectResponse }) => {
    if (request.url.startsWith("data:")) return;
    begun ||= timestamp;
    requests += 1;
    if (!redirectResponse) underWay += 1;
    kinds.set(requestId, type ?? "Other");
    kindByUrl.set(request.url, type ?? "Other");
    changed = Date.now();
  });
  const addBytes = (kind = "Other", size: number) => {
    sums[kind] = (sums[kind] ?? 0) + size;
    sums.all = (sums.all ?? 0) + size;
  };
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength, timestamp }) => {
    // A `data:` URL isn't counted as a request.
    if (!kinds.has(requestId)) return;
    addBytes(kinds.get(requestId), encodedDataLength);
    end = Math.max(end, timestamp);
    underWay -= 1;
    changed = Date.now();
  });
  session.on("Network.loadingFailed", ({ requestId }) => {
    if (!kinds.has(requestId)) return;
    underWay -= 1;
    changed = Date.now();
  });
  page.on("websocket", () => {
    requests += 1;
  });
  return {
    requests: () => requests,
    bytes: () => sums,
    /** Adds the body of a file loaded by Early Hints. */
    addHinted: (url: string, size: number) => addBytes(kindByUrl.get(url), size),
    /** When the last response ended, in milliseconds after the first request. */
    lastEnd: () => (end - begun) * 1_000,
    async waitUntilQuiet() {
      const deadline = Date.now() + PATIENCE;
      while (underWay > 0 || Date.now() - changed < QUIET) {
        if (Date.now() > deadline) throw new Error(`${page.url()} doesn't come to rest.`);
        await pause(50);
      }
    },
  };
}
