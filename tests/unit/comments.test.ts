import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** The maximum number of columns in a line of a comment: the limit that the formatter uses for code. */
const COLUMNS = 120;

const SOURCES = ["app", "db", "party", "scripts", "tests"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|m?js|css)$/.test(name))
    .map((name) => join(folder, name)),
);

/** Finds a file's comments: the offsets at which each begins and ends. */
function commentsOf(path: string, text: string): readonly ts.TextRange[] {
  if (path.endsWith(".css")) {
    return [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ index, 0: { length } }) => ({
      pos: index,
      end: index + length,
    }));
  }
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind);
  const comments: ts.CommentRange[] = [];
  const texts: ts.JsxText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) texts.push(node);
    comments.push(...(ts.getLeadingCommentRanges(text, node.pos) ?? []));
    comments.push(...(ts.getTrailingCommentRanges(text, node.end) ?? []));
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  // JSX text holds no comments, even where it contains a `//`.
  return comments.filter(({ pos }) => !texts.some((one) => one.pos <= pos && pos < one.end));
}

/** Returns the numbers, counted from 1, of a file's lines that are too long and hold a comment or a part of one. */
function findLongLines(path: string, text: string): number[] {
  let end = -1;
  const lines = text.split("\n").map((line, index) => {
    const pos = end + 1;
    end = pos + line.length;
    return { line, number: index + 1, pos, end };
  });
  const long = lines.filter(({ line }) => line.length > COLUMNS && !/https?:\/\/\S{80,}/.test(line));
  if (long.length === 0) return [];
  const comments = commentsOf(path, text);
  return long
    .filter((line) => comments.some((one) => one.pos < line.end && line.pos < one.end))
    .map(({ number }) => number);
}

test("No line of a comment is longer than 120 columns, unless it holds a long URL", () => {
  const found = SOURCES.flatMap((path) =>
    findLongLines(path, readFileSync(join(ROOT, path), "utf8")).map((line) => `${path}:${line}`),
  );
  expect(found).toEqual([]);
  expect(SOURCES.length).toBeGreaterThan(1000);
});

test("Long lines are found in comments of every form, and not in strings, templates or JSX text", () => {
  const words = "word ".repeat(30);
  for (const comment of [`// ${words}`, `/** ${words}*/`, `/*\n * ${words}\n */`, `const one = 1; // ${words}`]) {
    expect(findLongLines("one.ts", `${comment}\nexport const two = 2;\n`), comment).toHaveLength(1);
  }
  expect(findLongLines("one.css", `.one {\n  /* ${words}*/\n}\n`)).toEqual([2]);
  expect(findLongLines("one.tsx", `export const One = () => <p>{/* ${words}*/}</p>;\n`)).toEqual([1]);
  expect(findLongLines("one.tsx", `export const One = () => <p>// ${words}</p>;\n`)).toEqual([]);
  expect(findLongLines("one.ts", `export const one = "// ${words}";\n`)).toEqual([]);
  expect(findLongLines("one.ts", `export const one = \`\n// ${words}\`;\n`)).toEqual([]);
  expect(findLongLines("one.ts", `// See https://example.com/${"a".repeat(120)}\n`)).toEqual([]);
});
