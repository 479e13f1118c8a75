import { afterEach, describe, expect, it, vi } from "vitest";
import { scrollKey } from "../../app/ui/page/scroll-key";

const visit = (address: string, key: string) => {
  const { pathname, search, hash } = new URL(address, "https://lineup.test");
  return scrollKey({ pathname, search, hash, key, state: null });
};

describe("a page's scroll position", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("is restored on the way back to an entry of the list, and on no other navigation", () => {
    vi.stubGlobal("document", {});
    expect(visit("/dashboard?rank=Gold+1", "one")).toBe("one");
    expect(visit("/lfg/1", "two")).toBe("two");
    expect(visit("/dashboard?rank=Gold+1#post-1", "three")).toBe("one");
    expect(visit("/dashboard?rank=Gold+1", "four")).toBe("four");
    expect(visit("/dashboard#post-1", "five")).toBe("five");
    expect(visit("/lfg/1#requests", "six")).toBe("six");
  });

  it("is not stored by the server, which serves everyone", () => {
    expect(visit("/dashboard?rank=Iron+1", "one")).toBe("one");
    vi.stubGlobal("document", {});
    expect(visit("/dashboard?rank=Iron+1#post-1", "two")).toBe("two");
  });
});
