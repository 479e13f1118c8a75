import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** Requests that the browser made, by path. */
let asked: string[];
/** Whether a path is answered at this moment; a request that is not fails as `fetch` does without network. */
let isAnswered: (path: string) => boolean;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  asked = [];
  const browser = Object.assign(new EventTarget(), {
    async fetch(input: string) {
      const { pathname } = new URL(input, "https://lineup.test");
      asked.push(pathname);
      if (!isAnswered(pathname)) throw new TypeError("Failed to fetch");
      return new Response("data");
    },
  });
  vi.stubGlobal("window", browser);
  vi.stubGlobal("location", new URL("https://lineup.test/dashboard"));
  vi.stubGlobal("navigator", { onLine: true });
  const { watchNetwork } = await import("../../app/platform/network");
  watchNetwork();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Asks for a page's data, and tells how that ended, if it has. */
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

describe("A load of a page that the network fails", () => {
  it("is given up after three more tries when the site is reached otherwise", async () => {
    isAnswered = (path) => path === "/healthz";
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("Failed to fetch");
    expect(asked.filter((path) => path.endsWith(".data"))).toHaveLength(4);
  });

  it("waits as long as the site is out of reach", async () => {
    isAnswered = () => false;
    const result = load();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(result.outcome).toBeUndefined();
    expect(asked.filter((path) => path.endsWith(".data"))).toHaveLength(1);
    isAnswered = () => true;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(result.outcome).toBe("data");
  });

  it("succeeds at a later try", async () => {
    isAnswered = (path) => path === "/healthz" || asked.length > 4;
    const result = load();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result.outcome).toBe("data");
  });
});
