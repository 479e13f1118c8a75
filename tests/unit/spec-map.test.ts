import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const MAP = readFileSync(join(ROOT, "docs/spec-map.md"), "utf8");

test("Each name that the specification's map places in a file is in that file", () => {
  const named = [...MAP.matchAll(/`([\w.]+)`(?: and `([\w.]+)`)? in `([^`\s]+\.\w+)`/g)].flatMap(
    ([, one = "", other, path = ""]) => [one, ...(other ? [other] : [])].map((name) => ({ name, path })),
  );
  expect(named.length).toBeGreaterThan(60);
  const isThere = ({ name, path }: { name: string; path: string }) =>
    readFileSync(join(ROOT, path), "utf8").includes(name.split(".").at(-1) as string);
  expect(named.filter(({ path }) => existsSync(join(ROOT, path))).filter((one) => !isThere(one))).toEqual([]);
});

test("Each row of the map says that it is built, replaced or declined", () => {
  const rows = MAP.split("\n").filter((line) => /^\| (?!spec |---)/.test(line));
  expect(rows.length).toBeGreaterThan(300);
  const states = rows.map((row) => ({ row, state: row.split(/(?<!\\)\|/)[2]?.trim() }));
  expect(states.filter(({ state }) => !["built", "replaced", "declined"].includes(state ?? ""))).toEqual([]);
});
