import { stripVTControlCharacters } from "node:util";
import { chromium } from "@playwright/test";
import { expect, test } from "vitest";
import { TEST_ARGS } from "../../scripts/local/browser";

const OPTION = "--disable-features=";

const featuresIn = (args: readonly string[]) =>
  args.filter((arg) => arg.startsWith(OPTION)).flatMap((arg) => arg.slice(OPTION.length).split(","));

test("The browser tests disable every feature that Playwright disables", async () => {
  // Node ends immediately, because it knows none of the options. Playwright then lists the ones that it passed.
  const failure = await chromium.launch({ executablePath: process.execPath }).then(
    () => "",
    (error: Error) => error.message,
  );
  const passed = featuresIn(stripVTControlCharacters(failure).split(/\s+/));
  expect(passed).toContain("PaintHolding");
  expect(featuresIn(TEST_ARGS)).toEqual(expect.arrayContaining(passed));
});
