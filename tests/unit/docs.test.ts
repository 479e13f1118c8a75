import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** The folders and files in the repository's root that documents may name. */
const TOP_LEVEL = [
  ".github",
  "app",
  "db",
  "docs",
  "migrations",
  "party",
  "public",
  "scripts",
  "tests",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "README.md",
  "server.ts",
  "wrangler.toml",
];

const markdownIn = (folder: string) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name));

/** Documents that describe the present. Decisions describe the time when they were taken. */
const CURRENT = [...markdownIn("."), ...markdownIn("docs")];

/** The paths of this repository in a document's backticks, except patterns such as `app/features/<name>`. */
function pathsIn(text: string): string[] {
  const words = [...text.matchAll(/`([^`\s<>]+)`/g)].map(([, word = ""]) => word);
  return [...new Set(words)].filter((word) => TOP_LEVEL.some((top) => word === top || word.startsWith(`${top}/`)));
}

/** The files of this repository that a document links to, without their fragments. */
const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target.replace(/#.*/, ""))
    .filter((target) => target && !/^\w+:/.test(target));

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("Each path that a document names exists", () => {
  test.each(CURRENT)("%s", (document) => {
    expect(pathsIn(read(document)).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test("and the documents name many of them", () => {
    expect(pathsIn(read("docs/spec-map.md")).length).toBeGreaterThan(100);
    expect(pathsIn(read("docs/architecture.md")).length).toBeGreaterThan(25);
  });
});

test.each([...CURRENT, ...markdownIn("docs/decisions")])("Each link of %s leads to a file", (document) => {
  const broken = linksIn(read(document)).filter((link) => !existsSync(join(ROOT, dirname(document), link)));
  expect(broken).toEqual([]);
});
