import { describe, expect, it } from "vitest";
import { backTo, postPage, wayBack } from "../../app/features/lfg/way-back";

const from = (search: string) => wayBack("1", new URL(`/lfg/1${search}`, "https://lineup.test"));

describe("the way back from a post", () => {
  it("leads to the whole list when the URL names no other", () => {
    expect(from("")).toEqual({ list: "/dashboard#post-1", page: "/lfg/1", dialog: "/lfg/1", query: "" });
  });

  it("leads from its page to the list it was opened from, and from the page's dialogs to the page", () => {
    const page = postPage("1", "/dashboard?rank=Gold+1&q=a%26b");
    const way = wayBack("1", new URL(page, "https://lineup.test"));
    expect(way).toMatchObject({ list: "/dashboard?rank=Gold+1&q=a%26b#post-1", page, dialog: page });
    expect(`/lfg/1${way.query}`).toBe(page);
    expect(postPage("1", "/dashboard")).toBe("/lfg/1");
  });

  it("leads from a dialog that was opened from the list straight back to it", () => {
    expect(from(backTo("/dashboard?role=Duelist"))).toMatchObject({
      list: "/dashboard?role=Duelist#post-1",
      page: "/lfg/1?from=%2Fdashboard%3Frole%3DDuelist",
      dialog: "/dashboard?role=Duelist#post-1",
    });
    expect(backTo("/dashboard")).toBe("?back");
    expect(from(backTo("/dashboard")).dialog).toBe("/dashboard#post-1");
  });

  it("leads only to our list of posts", () => {
    const foreign = [
      "https://evil.example/dashboard",
      "//evil.example/dashboard",
      "/\\evil.example",
      "/.//evil.example",
      "javascript:alert(1)",
      "/dashboard/settings",
      "/dashboard/../auth",
      "/auth/sign-out",
      "dashboard",
    ];
    for (const list of foreign) {
      expect(from(`?${new URLSearchParams({ from: list, back: list })}`), list).toEqual(from(""));
    }
  });
});
