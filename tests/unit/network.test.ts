import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The browser's requests, in order, with their times in milliseconds. */
let requests: { path: string; at: number }[];
/** Whether the site answers requests for a path. Otherwise they fail like `fetch` without a network. */
let isAnswered: (path: string) => boolean;
/** The status of the responses. */
let status: number;
/** The cache mode of the browser's last request. */
let cacheMode: RequestCache | undefined;
/** Reports a finished prefetch of the list of players, as the browser does. */
let reportPrefetch: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  // Each pause is then as long as on average.
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  requests = [];
  status = 200;
  const browser = Object.assign(new EventTarget(), {
    async fetch(input: string, init?: RequestInit) {
      cacheMode = init?.cache;
      const { pathname: path } = new URL(input, "https://lineup.test");
      // A page that never paused would keep the test from ending.
      if (requests.push({ path, at: performance.now() }) > 1_000) throw new Error("Too many requests");
      if (!isAnswered(path)) throw new TypeError("Failed to fetch");
      return new Response("data", { status, headers: { "X-Remix-Response": "yes" } });
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
  vi.restoreAllMocks();
});

const PLAYERS = "/dashboard/players.data";

/** The pauses between the requests for a path, in seconds. */
function pausesOf(path: string): number[] {
  const times = requests.filter((request) => request.path === path).map(({ at }) => at);
  return times.slice(1).map((time, index) => (time - (times[index] as number)) / 1_000);
}

/** Requests a page's data. @returns an object that receives the outcome, once there is one */
function load() {
  const result: { outcome?: string } = {};
  window.fetch(PLAYERS).then(
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
  it("is abandoned after three retries, with growing pauses, when the rest of the site can be reached", async () => {
    isAnswered = (path) => path === "/healthz";
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("Failed to fetch");
    expect(pausesOf(PLAYERS)).toEqual([1, 2, 5]);
  });

  it("waits as long as the site can't be reached, which it checks with growing pauses of at most ten seconds", async () => {
    isAnswered = () => false;
    const result = load();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(result.outcome).toBeUndefined();
    expect(requests.filter(({ path }) => path === PLAYERS)).toHaveLength(1);
    expect(pausesOf("/healthz")).toEqual([1, 2, 5, ...Array(59).fill(10)]);
    isAnswered = () => true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(result.outcome).toBe("data");
  });

  it("succeeds on a retry", async () => {
    isAnswered = (path) => path === "/healthz" || requests.length > 4;
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("data");
  });
});

describe("A reload that the player hasn't asked for", () => {
  it.each([429, 503])(
    "is repeated with growing pauses of at most ten seconds while it is answered with %s",
    async (refusal) => {
      Object.assign(window, { __remixRouter: { state: { revalidation: "loading", navigation: { state: "idle" } } } });
      isAnswered = () => true;
      status = refusal;
      const result = load();
      await vi.advanceTimersByTimeAsync(40_000);
      expect(result.outcome).toBeUndefined();
      expect(pausesOf(PLAYERS)).toEqual([1, 2, 5, 10, 10, 10]);
      status = 200;
      await vi.advanceTimersByTimeAsync(10_000);
      expect(result.outcome).toBe("data");
    },
  );
});

describe("Routes for the links on a page", () => {
  const discover = (path: string) => window.fetch(`/__manifest?p=${path}`).then((response) => response.text());

  it("are requested once while the first response is under way", async () => {
    isAnswered = () => true;
    expect(await Promise.all([discover("/lfg"), discover("/lfg"), discover("/auth")])).toEqual([
      "data",
      "data",
      "data",
    ]);
    expect(requests).toHaveLength(2);
    await discover("/lfg");
    expect(requests).toHaveLength(3);
  });

  it("are requested again after a failure", async () => {
    isAnswered = (path) => path === "/healthz";
    const first = Promise.allSettled([discover("/lfg"), discover("/lfg")]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await first).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isAnswered = () => true;
    expect(await discover("/lfg")).toBe("data");
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

  it("is loaded again if it was prefetched before a form's response", async () => {
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
