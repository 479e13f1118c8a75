import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, expect, type Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { hasJavaScript } from "../support/e2e";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Fails when axe finds a violation (of WCAG or of good practice) on the page in its current state. Checks a wide screen
 * in one theme and a phone in the other; the second Playwright project swaps the themes.
 * @param needsScript whether the state exists only with JavaScript: then both sizes are checked in both themes
 */
export async function expectAccessibleEverywhere(page: Page, { needsScript = false } = {}): Promise<void> {
  const [wide, phone] = hasJavaScript() ? (["dark", "light"] as const) : (["light", "dark"] as const);
  const subject = hasJavaScript() ? page : await copyWithScripts(page);
  await subject.evaluate(`${source};0`);
  for (const [width, colorScheme] of [
    [1280, wide],
    ...(needsScript ? ([[1280, phone]] as const) : []),
    [390, phone],
    ...(needsScript ? ([[390, wide]] as const) : []),
  ] as const) {
    await subject.setViewportSize({ width, height: 844 });
    await subject.emulateMedia({ colorScheme });
    await expect.poll(() => subject.evaluate(countAnimations), "until nothing moves or fades any more").toBe(0);
    // Tooltips are left out: they are rendered outside the page's landmarks.
    const { violations } = await subject.evaluate<AxeResults>(
      "axe.run({ exclude: ['[data-radix-popper-content-wrapper]'] }, { resultTypes: ['violations'] })",
    );
    const found = violations.map(
      ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
    );
    expect(found, `axe on ${page.url()}, ${colorScheme}, ${width} px`).toEqual([]);
  }
}

/**
 * Fails when axe finds a violation in a part of the page in its current state, such as an open menu. Checks both
 * themes, because such parts exist only with JavaScript.
 */
export async function expectAccessiblePart(page: Page, selector: string): Promise<void> {
  await page.evaluate(`${source};0`);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(() => page.evaluate(countAnimations), "until nothing moves or fades any more").toBe(0);
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run({ include: [${JSON.stringify(selector)}] }, { resultTypes: ["violations"] })`,
    );
    const found = violations.filter(({ id }) => id !== "region").map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    expect(found, `axe on ${selector}, ${colorScheme}`).toEqual([]);
  }
}

/** Counts the animations in progress; those that have not started yet don't count. */
const countAnimations = () =>
  document
    .getAnimations()
    .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().progress != null).length;

let twin: { page: Page; address: string; html: string } | undefined;

/**
 * Copies a page with JavaScript turned off into one with it turned on, because axe needs timers. The copy is the same
 * document without its own scripts. All tests of a worker share one such page.
 */
async function copyWithScripts(page: Page): Promise<Page> {
  const html = (await page.content()).replace(/<script\b.*?<\/script>/gs, "");
  if (!twin || twin.page.isClosed()) {
    const context = await (page.context().browser() as Browser).newContext({ javaScriptEnabled: true });
    const created = { page: await context.newPage(), address: "", html: "" };
    await created.page.route(
      (url) => url.href === created.address,
      (route) => route.fulfill({ body: created.html, contentType: "text/html; charset=utf-8" }),
    );
    twin = created;
  }
  twin.address = page.url();
  twin.html = html;
  await twin.page.goto(twin.address);
  return twin.page;
}
