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

test.each([...CURRENT, ...markdownIn("docs/decisions")])(
  "%s names no issue by its number, which leads nowhere",
  (name) => {
    expect(read(name)).not.toMatch(/\bissues? #?\d/i);
  },
);

/** The sources of the tests by their names in docs/security.md, such as `email` or `recovery.spec`. */
function testSources(): Map<string, string> {
  const sources = new Map<string, string>();
  for (const folder of ["tests/unit", "tests/integration", "tests/e2e", "tests/bench/checks"]) {
    for (const file of readdirSync(join(ROOT, folder)).filter((file) => file.endsWith(".ts"))) {
      const name = file.replace(/(\.test)?\.ts$/, "");
      sources.set(name, (sources.get(name) ?? "") + read(join(folder, file)));
    }
  }
  return sources;
}

/** The test names quoted in a row of docs/security.md, each with the names of the files before it in the row. */
const quotesIn = (row: string) =>
  [...row.matchAll(/"([^"]+)"/g)].map(({ 1: quote = "", index }) => ({
    quote,
    files: [...row.slice(0, index).matchAll(/`([\w.-]+)`/g)].map(([, name = ""]) => name),
  }));

test("Each test that docs/security.md quotes is in a file that it names", () => {
  const sources = testSources();
  const rows = read("docs/security.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const quotes = rows.flatMap((row) => quotesIn(row.split(" | ").at(-1) ?? ""));
  expect(quotes.length).toBeGreaterThan(150);
  // An ellipsis stands for the rest of a name, or for a part of it that differs between tests.
  const isIn = (source: string, quote: string) => quote.split("…").every((part) => source.includes(part.trim()));
  const missing = quotes.filter(({ quote, files }) => !files.some((name) => isIn(sources.get(name) ?? "", quote)));
  expect(missing).toEqual([]);
});

/** The folders whose code is searched for the names in documents. */
const CODE = ["app", "db", "party", "scripts", "tests"];

/** Every word of the code. */
function wordsOfCode(): Set<string> {
  const files = CODE.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  ).filter((path) => /\.(tsx?|mjs)$/.test(path));
  return new Set(files.flatMap((path) => read(path).match(/[A-Za-z_]\w*/g) ?? []));
}

test("Each function, type and constant that a document names is still in the code under that name", () => {
  const words = wordsOfCode();
  // A plain word may be anything; one with a capital or an underscore inside can only be code.
  const named = CURRENT.flatMap((document) =>
    [...read(document).matchAll(/`([A-Za-z_]\w*)(?:\(\))?`/g)]
      .map(([, name = ""]) => ({ document, name }))
      .filter(({ name }) => /[a-z][A-Z]|^[A-Z]+_[A-Z_]+$/.test(name)),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !words.has(name))).toEqual([]);
});
