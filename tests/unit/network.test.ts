import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The paths of the browser's requests, in order. */
let requestedPaths: string[];
/** Whether a path is answered at the moment. Otherwise the request fails like `fetch` without a network. */
let isAnswered: (path: string) => boolean;
/** The cache mode of the browser's last request. */
let cacheMode: RequestCache | undefined;
/** Reports a finished prefetch of the list of players, as the browser does. */
let reportPrefetch: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  requestedPaths = [];
  const browser = Object.assign(new EventTarget(), {
    async fetch(input: string, init?: RequestInit) {
      cacheMode = init?.cache;
      const { pathname } = new URL(input, "https://lineup.test");
      requestedPaths.push(pathname);
      if (!isAnswered(pathname)) throw new TypeError("Failed to fetch");
      return new Response("data");
    },
  });
  vi.stubGlobal("window", browser);
  vi.stubGlobal("location", new URL("https://lineup.test/dashboard"));
  vi.stubGlobal("document", { querySelector: () => null, querySelectorAll: () => [] });
  vi.stubGlobal(
    "PerformanceObserver",
    class {
      constructor(callback: (list: { getEntries: () => unknown[] }) => void) {
        const name = "https://lineup.test/dashboard/players.data";
        reportPrefetch = () => {
          const entry = { name, initiatorType: "link", startTime: performance.now(), transferSize: 500 };
          callback({ getEntries: () => [entry] });
        };
      }
      observe() {}
    },
  );
  vi.stubGlobal("navigator", { onLine: true });
  const { watchNetwork } = await import("../../app/platform/network");
  watchNetwork();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Requests a page's data. @returns an object that receives the outcome, once there is one */
function load() {
  const result: { outcome?: string } = {};
  window.fetch("/dashboard/players.data").then(
    async (response) => {
      result.outcome = await response.text();
    },
    (error: Error) => {
      result.outcome = error.message;
    },
  );
  return result;
}

describe("A page load that fails on the network", () => {
  it("is abandoned after three retries when the rest of the site can be reached", async () => {
    isAnswered = (path) => path === "/healthz";
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("Failed to fetch");
    expect(requestedPaths.filter((path) => path.endsWith(".data"))).toHaveLength(4);
  });

  it("waits as long as the site can't be reached", async () => {
    isAnswered = () => false;
    const result = load();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(result.outcome).toBeUndefined();
    expect(requestedPaths.filter((path) => path.endsWith(".data"))).toHaveLength(1);
    isAnswered = () => true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(result.outcome).toBe("data");
  });

  it("succeeds on a retry", async () => {
    isAnswered = (path) => path === "/healthz" || requestedPaths.length > 4;
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("data");
  });
});

describe("A page that was prefetched", () => {
  beforeEach(() => {
    isAnswered = () => true;
  });

  it("opens without another request to the server", async () => {
    reportPrefetch();
    load();
    await vi.advanceTimersByTimeAsync(1);
    expect(cacheMode).toBeUndefined();
  });

  it("is loaded again if that was before a form's answer", async () => {
    await vi.advanceTimersByTimeAsync(5);
    const form = window.fetch("/lfg/1.data", { method: "POST" });
    vi.advanceTimersByTime(5);
    reportPrefetch();
    vi.advanceTimersByTime(5);
    await form;
    load();
    await vi.advanceTimersByTimeAsync(1);
    expect(cacheMode).toBe("no-cache");
  });
});
