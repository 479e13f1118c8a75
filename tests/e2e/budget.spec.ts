import { gzipSync } from "node:zlib";
import type { Locator, Page, Response } from "@playwright/test";
import { CONVERSATION_SCRIPTS, FONTS, PAGE_BUDGETS, type PageBudget, STYLES } from "../support/budgets";
import { expect, test, visit } from "../support/e2e";
import { select, texts } from "../support/html";
import { findMeasuredPages, MEASURED_PAGES, MEASURED_VISITOR } from "../support/measured-pages";
import { databaseTiming, roundTrips } from "../support/server-timing";
import { expectToast, holdRequests, signInQuietly } from "./steps";

// This file has its own app, with a world whose LFG list fills its first page.
test.use({ appOptions: { world: "busy" } });
test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "It weighs JavaScript.");

const gzipped = (body: Buffer | string) => gzipSync(body).byteLength;

/** Collects a page's responses of a kind. The icons in `icons.svg` count as a style sheet. */
function collect(page: Page, kind: "script" | "stylesheet" | "font"): Response[] {
  const responses: Response[] = [];
  page.on("response", (response) => {
    const isDrawings = kind === "stylesheet" && /\/icons-\w+\.svg$/.test(response.url());
    if (isDrawings || response.request().resourceType() === kind) responses.push(response);
  });
  return responses;
}

const gzippedSize = async (responses: Response[]) => {
  const bodies = await Promise.all(responses.map((response) => response.body()));
  return bodies.reduce((sum, body) => sum + gzipped(body), 0);
};

/** Lists files by their weight, the heaviest first, for the message of a test that fails. */
async function listWeights(responses: Response[]): Promise<string> {
  const files = await Promise.all(
    responses.map(async (response) => ({
      name: new URL(response.url()).pathname.replace("/build/", ""),
      weight: gzipped(await response.body()),
    })),
  );
  return files
    .sort((one, other) => other.weight - one.weight)
    .map(({ name, weight }) => `${weight} ${name}`)
    .join("\n");
}

test("The LFG page with 20 posts keeps its budget of script, style and fonts", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  const scripts = collect(page, "script");
  const styles = collect(page, "stylesheet");
  const fonts = collect(page, "font");
  await visit(page, "/dashboard");
  await expect(page.getByRole("article")).toHaveCount(20);
  await page.waitForLoadState("networkidle");

  const preloads = await page
    .locator("link[rel=preload][as=font]")
    .evaluateAll((links: HTMLLinkElement[]) => links.map(({ href }) => href));
  const preloaded = fonts.filter((response) => preloads.includes(response.url()));
  expect(preloaded.length).toBe(preloads.length);
  const fontBodies = await Promise.all(preloaded.map((response) => response.body()));

  const weight = {
    scripts: await gzippedSize(scripts),
    styles: await gzippedSize(styles),
    fonts: fontBodies.reduce((sum, body) => sum + body.byteLength, 0),
  };
  test.info().annotations.push({ type: "weight", description: JSON.stringify(weight) });
  expect(scripts.length).toBeGreaterThan(0);
  expect(weight.scripts, `JavaScript, gzip:\n${await listWeights(scripts)}`).toBeLessThanOrEqual(
    PAGE_BUDGETS.LFG.scripts,
  );
  expect(weight.styles, "style sheets and drawings, gzip").toBeLessThanOrEqual(STYLES);
  expect(weight.fonts, "preloaded fonts").toBeLessThanOrEqual(FONTS);
});

for (const name of MEASURED_PAGES) {
  test(`The page “${name}” keeps its budget of JavaScript, HTML, requests and statements`, async ({ page, app }) => {
    const { path, isPublic } = (await findMeasuredPages(app))[name];
    if (!isPublic) await signInQuietly(page, MEASURED_VISITOR);
    const scripts = collect(page, "script");
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("websocket", (socket) => requests.push(socket.url()));
    const response = (await page.goto(path)) as Response;
    // The landing page has no script.
    if (name !== "landing") await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");

    const cost: PageBudget = {
      scripts: await gzippedSize(scripts),
      html: (await response.body()).byteLength,
      requests: requests.length,
      statements: databaseTiming({ headers: new Headers(response.headers()) })?.statements ?? 0,
    };
    test.info().annotations.push({ type: "cost", description: JSON.stringify(cost) });
    const budget = PAGE_BUDGETS[name];
    const details = { scripts: await listWeights(scripts), html: "", requests: requests.join("\n"), statements: "" };
    for (const kind of Object.keys(budget) as (keyof PageBudget)[]) {
      expect.soft(cost[kind], `${kind}\n${details[kind]}`).toBeLessThanOrEqual(budget[kind]);
    }
  });
}

test("Posts and players out of view are laid out and painted only once the page has settled", async ({ page, app }) => {
  await signInQuietly(page, MEASURED_VISITOR);
  const measuredPages = await findMeasuredPages(app);
  const lists = { LFG: page.getByRole("article"), Players: page.locator(".player-row") };
  for (const [name, items] of Object.entries(lists)) {
    // Looks at each item's content, because the item itself always keeps its place.
    const areRendered = () =>
      items.evaluateAll((all) =>
        all.map((item) => item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true })),
      );
    // The scripts never arrive.
    await page.route("**/*.js", () => undefined);
    await page.goto(measuredPages[name as keyof typeof lists].path, { waitUntil: "domcontentloaded" });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect((await areRendered()).at(0), name).toBe(true);
    expect((await areRendered()).at(-1), name).toBe(false);
    await items.last().scrollIntoViewIfNeeded();
    await expect.poll(async () => (await areRendered()).at(-1), name).toBe(true);

    await page.unroute("**/*.js");
    await visit(page, measuredPages[name as keyof typeof lists].path);
    await expect.poll(areRendered, name).not.toContain(false);
  }
});

test("A page that a click opens leaves out items out of view until it has settled; the previous page doesn't", async ({
  page,
}) => {
  await signInQuietly(page, MEASURED_VISITOR);
  await visit(page, "/dashboard");
  await page.locator("html[data-settled]").waitFor({ state: "attached" });
  const isRendered = (items: Locator) =>
    items.last().evaluate((item) => item.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }));
  const [posts, players] = [page.getByRole("article"), page.locator(".player-row")];
  await expect.poll(() => isRendered(posts)).toBe(true);
  const release = await holdRequests(page, /\/dashboard\/players\.data/);
  await page.getByRole("link", { name: "Players", exact: true }).click();
  await expect(page.getByText("Loading...")).toBeVisible();
  expect(await isRendered(posts)).toBe(true);
  // Reads the last player's style as soon as the list is in the page, before the page can settle.
  const styleAtFirst = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const observer = new MutationObserver(() => {
          const last = [...document.querySelectorAll(".player-row")].at(-1);
          if (!last) return;
          observer.disconnect();
          resolve(getComputedStyle(last).contentVisibility);
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
  release();
  expect(await styleAtFirst).toBe("auto");
  await expect.poll(() => isRendered(players)).toBe(true);
});

test("A reloaded list keeps its scroll position to the pixel", async ({ page }) => {
  await signInQuietly(page, MEASURED_VISITOR);
  await visit(page, "/dashboard");
  const post = page.getByRole("article").nth(15);
  const position = () => post.evaluate((article) => Math.round(article.getBoundingClientRect().top));
  await post.scrollIntoViewIfNeeded();
  const before = await position();
  await page.reload();
  await expect.poll(position).toBe(before);
  await page.locator("html[data-settled]").waitFor({ state: "attached" });
  expect(await position()).toBe(before);
});

test("A conversation keeps its budget of script, including the script of its room", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  const scripts = collect(page, "script");
  await visit(page, "/dashboard/messages");
  // No pointer comes near: tooltips and players' cards load only when one does.
  const conversation = page.getByRole("navigation", { name: "Conversations" }).getByRole("link", { name: "ren.aska" });
  await conversation.dispatchEvent("click");
  await expect(page.getByText("Live", { exact: true })).toBeAttached();
  await page.waitForLoadState("networkidle");
  const weight = await gzippedSize(scripts);
  test.info().annotations.push({ type: "weight", description: String(weight) });
  expect(scripts.some((script) => decodeURIComponent(script.url()).includes("messages.$conversationId"))).toBe(true);
  expect(weight, `JavaScript, gzip:\n${await listWeights(scripts)}`).toBeLessThanOrEqual(CONVERSATION_SCRIPTS);
});

test("The landing page keeps its budget of style and fonts, and loads no script", async ({ page }) => {
  const scripts = collect(page, "script");
  const styles = collect(page, "stylesheet");
  const fonts = collect(page, "font");
  await visit(page, "/");
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const fontBodies = await Promise.all(fonts.map((response) => response.body()));
  const names = fonts.map((response) => new URL(response.url()).pathname);
  expect(new Set(names).size, "each font once").toBe(names.length);
  expect(fonts.length).toBeGreaterThan(1);
  expect(scripts).toEqual([]);
  expect(styles.length).toBeGreaterThan(0);
  expect(await gzippedSize(styles), "style sheets and drawings, gzip").toBeLessThanOrEqual(STYLES);
  expect(
    fontBodies.reduce((sum, body) => sum + body.byteLength, 0),
    names.join(", "),
  ).toBeLessThanOrEqual(FONTS);
});

test("Browsers may cache build files for good, and text files are compressed", async ({ page }) => {
  const built: Response[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).pathname.startsWith("/build/")) built.push(response);
  });
  await visit(page, "/auth");
  await page.waitForLoadState("networkidle");
  expect(built.length).toBeGreaterThan(5);
  for (const response of built) {
    const headers = response.headers();
    expect(headers["cache-control"], response.url()).toBe("public, max-age=31536000, immutable");
    if (!response.url().endsWith(".woff2")) {
      expect(headers["content-encoding"], response.url()).toMatch(/^(br|gzip|zstd)$/);
    }
  }
});

test("The LFG page comes with its 20 posts in the HTML, after one round trip to the database", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  for (const address of ["/dashboard", "/dashboard?role=Duelist", "/dashboard?rank=Gold+1&voice=preferred&q=the"]) {
    const response = await page.request.get(address);
    expect(response.status()).toBe(200);
    expect(roundTrips({ headers: new Headers(response.headers()) }), address).toBe(1);
    if (address === "/dashboard") expect(select(await response.text(), "article")).toHaveLength(20);
  }
});

test("The toasts' script is only loaded on a page with a toast", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  const scripts = collect(page, "script");
  const withToasts = async () => {
    const bodies = await Promise.all(scripts.map((response) => response.text()));
    return bodies.filter((body) => body.includes("data-sonner-toaster")).length;
  };
  await visit(page, "/dashboard");
  await page.waitForLoadState("networkidle");
  expect(await withToasts()).toBe(0);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expectToast(page, "success", "Signed out");
  await expect.poll(withToasts).toBe(1);
});

test.describe("During loading", () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
      }).observe({ type: "layout-shift", buffered: true });
    });
  });

  /** The sum of all layout shifts so far, rounded to two decimals as in Lighthouse's reports. */
  const layoutShift = async (page: Page) => {
    const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
    return shifts.reduce((sum, value) => sum + value, 0).toFixed(2);
  };

  /**
   * Makes pages paint with their two preloaded fonts in place, as on a return visit: holds back the style sheet,
   * without which no page is painted, until the fonts are there. (For the effect of late fonts on what players write,
   * see docs/decisions/0011-first-load.md.)
   */
  async function paintWithFonts(page: Page): Promise<void> {
    let fonts = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) fonts = 0;
    });
    page.on("requestfinished", (request) => {
      if (request.resourceType() === "font") fonts += 1;
    });
    await page.route("**/*.css", async (route) => {
      await expect.poll(() => fonts).toBeGreaterThanOrEqual(2);
      await route.continue();
    });
  }

  for (const width of [1280, 390]) {
    test(`the LFG page's layout doesn't shift, at ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await paintWithFonts(page);
      await signInQuietly(page, "player1@example.com");
      await visit(page, "/dashboard");
      await page.waitForLoadState("networkidle");
      expect(await layoutShift(page)).toBe("0.00");
    });
  }

  for (const width of [1280, 390]) {
    test(`the public pages' layout doesn't shift, at ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 844 });
      await paintWithFonts(page);
      const sitemap = await (await page.request.get("/sitemap.xml")).text();
      const post = new URL(texts(sitemap, "loc").find((address) => address.includes("/lfg/")) as string).pathname;
      for (const address of ["/", "/auth", "/auth?tab=sign-up", post]) {
        await visit(page, address);
        await page.waitForLoadState("networkidle");
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        expect(await layoutShift(page), address).toBe("0.00");
      }
    });
  }

  test("the files of rarer letters are loaded once the page is idle", async ({ page }) => {
    await signInQuietly(page, "player1@example.com");
    const fonts: string[] = [];
    page.on("request", (request) => {
      if (request.resourceType() === "font") fonts.push(request.url());
    });
    const release = await holdRequests(page, /framework-\w+\.js/);
    await page.goto("/dashboard", { waitUntil: "commit" });
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const early = fonts.map((url) => /_assets\/([a-z-]+)-/.exec(url)?.[1]).sort();
    expect(early).toEqual(["onest-western", "special-gothic-basic"]);
    release();
    await page.locator("html[data-settled]").waitFor({ state: "attached" });
    const loaded = () =>
      page.evaluate(() => [...document.fonts].filter((face) => face.status === "loaded").map(({ family }) => family));
    await expect.poll(loaded).toContainEqual(expect.stringContaining("Onest More"));
    expect(fonts.length).toBeGreaterThan(early.length);
  });

  test("the layout doesn't shift on a wide screen when fonts come late", async ({ page }) => {
    await signInQuietly(page, "player1@example.com");
    // Hold the fonts back until the page is painted without them and hydrated.
    let release = () => {};
    const painted = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*.woff2", async (route) => {
      await painted;
      await route.continue();
    });
    await page.goto("/dashboard", { waitUntil: "commit" });
    await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
    release();
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    expect(await page.evaluate(() => document.fonts.check("1rem 'Onest Variable'"))).toBe(true);
    expect(await layoutShift(page)).toBe("0.00");
  });
});
