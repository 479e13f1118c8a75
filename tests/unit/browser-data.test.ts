import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CACHES, COOKIES, STORAGE } from "../../app/features/about/browser-data";
import { Cookies } from "../../app/platform/request/cookies.server";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = "browser-data.ts";

/** The sources of the Worker and of the pages. */
const sources = ["app", "party"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(PAGE))
    .map((name) => readFileSync(join(ROOT, folder, name), "utf8")),
);

/** Everything in the sources that matches, without repetitions, in alphabetical order. */
const found = (pattern: RegExp) => [...new Set(sources.flatMap((text) => text.match(pattern) ?? []))].sort();

const named = (list: readonly { name: string }[]) => list.map(({ name }) => name.replace("…", "")).sort();

const withoutPrefix = (name: string) => name.replace(/^__Host-/, "");

const HOW = `Keep the lists in ${PAGE}, which /privacy shows, in step with the code.`;

it("Each cookie that the product sets is named on /privacy, and no other", () => {
  expect(found(/\blineup_[a-z_]+/g), HOW).toEqual(named(COOKIES).map(withoutPrefix).sort());
});

it("Each cookie is named as browsers show it", () => {
  for (const name of named(COOKIES)) {
    const cookies = new Cookies(new Request("https://lineup.example"), { isSecure: true });
    cookies.set(withoutPrefix(name), "", { maxAge: 1 });
    const headers = new Headers();
    cookies.apply(headers);
    expect(headers.get("Set-Cookie")?.split("=")[0], HOW).toBe(name);
  }
});

it("All cookies have names that the first test recognises", () => {
  const direct = sources.flatMap((text) => text.match(/cookies\.set\(\s*["'`][^"'`]*/g) ?? []);
  expect(direct, "Name a cookie in a constant that begins with lineup_").toEqual([]);
  const constants = found(/\b[A-Z_]*COOKIE\b = "[^"]*"/g);
  expect(constants.filter((text) => !text.includes('"lineup_'))).toEqual([]);
});

it("Everything that is kept in the browser's storage is named on /privacy, and nothing else", () => {
  const storing = sources.filter((text) => /\b(local|session)Storage\b|\bindexedDB\b/.test(text));
  const keys = [...new Set(storing.flatMap((text) => text.match(/[`"]lineup:[a-z]+[:"]/g) ?? []))];
  expect(keys.map((key) => key.replaceAll(/[`"]/g, "")).sort(), HOW).toEqual(named(STORAGE));
  expect(storing.length, `Another file stores something. ${HOW}`).toBe(STORAGE.length);
});

it("Each cache of the service worker is named on /privacy, and no other", () => {
  const worker = readFileSync(join(ROOT, "public/sw.js"), "utf8");
  const names = [...worker.matchAll(/`(lineup-[a-z]+-)\$\{/g)].map(([, name]) => name);
  expect(names, HOW).toEqual(named(CACHES));
  const opened = [...worker.matchAll(/caches\.open\(([^)]*)\)/g)].map(([, name]) => name);
  expect(opened, "Open a cache by the constant with its name.").toEqual(["CACHE"]);
  expect(sources.filter((text) => /\bcaches\./.test(text)).length, HOW).toBe(0);
});
