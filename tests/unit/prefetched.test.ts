import { afterEach, beforeEach, expect, test, vi } from "vitest";

const PLAYERS = new URL("https://lineup.test/dashboard/players.data?page=2");

type Module = typeof import("../../app/platform/prefetched");
let prefetched: Module;
/** Reports a finished request to the module, as the browser does. */
let report: (entry: Partial<PerformanceResourceTiming>) => void;
/** The element that prefetches, if the document holds one. */
let element: object | null;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.resetModules();
  element = null;
  vi.stubGlobal("location", new URL("https://lineup.test/dashboard/messages"));
  vi.stubGlobal("document", { querySelector: () => element, querySelectorAll: () => (element ? [element] : []) });
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      constructor(callback: (list: { getEntries: () => unknown[] }) => void) {
        report = (entry) =>
          callback({
            getEntries: () => [
              { name: PLAYERS.href, initiatorType: "link", startTime: performance.now(), transferSize: 500, ...entry },
            ],
          });
      }
      observe() {}
    },
  );
  prefetched = await import("../../app/platform/prefetched");
  prefetched.watchPrefetches();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("For ten seconds, a page may be shown as it was prefetched", () => {
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
  element = {};
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(true);
  report({});
  vi.advanceTimersByTime(9_999);
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(true);
  vi.advanceTimersByTime(1);
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
});

test("After a form, pages that were prefetched before it are no longer used", () => {
  report({});
  vi.advanceTimersByTime(5);
  prefetched.forgetPrefetched();
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
  vi.advanceTimersByTime(5);
  report({});
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(true);
});

test("A prefetch that was running when a form was sent or answered is not used, and a later one is", () => {
  element = {};
  prefetched.forgetPrefetched();
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
  element = {};
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(true);
});

test("The page that is shown is never reloaded from what was prefetched", () => {
  const shown = new URL("https://lineup.test/dashboard/messages.data");
  report({ name: shown.href });
  expect(prefetched.mayUsePrefetched(shown)).toBe(false);
});

test("A prefetch that the browser's cache answered doesn't make a page younger", () => {
  element = {};
  report({ transferSize: 0 });
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
  report({});
  vi.advanceTimersByTime(8_000);
  report({ transferSize: 0 });
  vi.advanceTimersByTime(3_000);
  expect(prefetched.mayUsePrefetched(PLAYERS)).toBe(false);
});
