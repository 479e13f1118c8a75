import { describe, expect, test } from "vitest";
import { useApp } from "../support/app";
import { select, selectEach } from "../support/html";

const app = useApp({ world: "empty" });

const themeOf = (html: string) => select(html, "html").attr("data-theme");
const metas = (html: string) =>
  selectEach(html, 'meta[name="color-scheme"], meta[name="theme-color"]').map(
    (one) => `${one.attr("name")} ${one.attr("content")}`,
  );

describe("the theme", () => {
  test("follows the device until the visitor chooses, and the HTML then contains the choice", async () => {
    const client = app.client();
    const before = await client.get("/");
    expect(themeOf(before.text)).toBeUndefined();
    expect(metas(before.text)).toEqual(["color-scheme dark light", "theme-color #f6f4f0", "theme-color #16110e"]);

    const answer = await client.post("/theme", { theme: "light", returnTo: "/auth?tab=sign-up" });
    expect([answer.status, answer.location]).toEqual([303, "/auth?tab=sign-up"]);
    expect(answer.setCookie).toEqual([
      expect.stringMatching(/^lineup_theme=light; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    for (const path of ["/", "/auth", "/no/such/page"]) {
      const page = await client.get(path);
      expect(themeOf(page.text), path).toBe("light");
      expect(metas(page.text), path).toEqual(["color-scheme light", "theme-color #f6f4f0"]);
    }
    await client.post("/theme", { theme: "dark", returnTo: "/" });
    expect(metas((await client.get("/")).text)).toEqual(["color-scheme dark", "theme-color #16110e"]);
  });

  test("follows the device again with System", async () => {
    const client = app.client();
    await client.post("/theme", { theme: "dark", returnTo: "/" });
    await client.post("/theme", { theme: "system", returnTo: "/" });
    expect(client.cookies.has("lineup_theme")).toBe(false);
    expect(themeOf((await client.get("/")).text)).toBeUndefined();
  });

  test("redirects only to pages of the site", async () => {
    for (const returnTo of ["https://evil.example/", "//evil.example", "/\\evil.example", ""]) {
      expect((await app.client().post("/theme", { theme: "dark", returnTo })).location, returnTo).toBe("/");
    }
  });

  test("refuses unknown themes and requests from other sites", async () => {
    const client = app.client();
    for (const fields of [{ theme: "neon", returnTo: "/" }, { returnTo: "/" }]) {
      const answer = await client.post("/theme", fields);
      expect(answer.status).toBe(400);
      expect(answer.setCookie).toEqual([]);
    }
    expect((await client.post("/theme", { theme: "dark" }, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await client.get("/theme")).location).toBe("/");
  });

  test("ignores a forged cookie", async () => {
    const client = app.client();
    client.cookies.set("lineup_theme", "%22%3E%3Cscript%3E");
    const page = await client.get("/");
    expect(page.status).toBe(200);
    expect(themeOf(page.text)).toBeUndefined();
  });
});
