import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Files whose texts only operators and developers read: log entries, settings, specimens. */
const NOT_READ = /^app\/(platform\/(email|env)|routes\/dev\.)/;

/** Words and phrases that `docs/words.md` rules out, each with the replacement to suggest. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\be-mail/i, "email"],
  [/\b(some|any)body\b/i, "someone, anyone"],
  [/\bsay your\b/i, "set your, choose"],
  [/\bof (yours|ours|theirs|your own|one's own)\b/i, "your, your own"],
  [/\bin any case\b/i, "always"],
  [/\bwho has\b.*\b(does|only)n't\b/i, "a sentence that begins with its subject"],
  [/\bwhoever\b/i, "anyone with"],
  [/\b(hears?|heard) (of|from us)\b/i, "We'll let you know, reach you"],
  [/\b(is|are) told\b/i, "We'll let them know"],
  [/\b(took|takes?|taken|taking) (it |them )?back\b/i, "undo, withdraw"],
  [/\btook you into\b/i, "added you to"],
  [/\bnot said\b/i, "not set, not added"],
  [/\bmoney moves\b/i, "Lineup doesn't handle payments."],
  [/\bin our log\b/i, "We've logged it"],
  [/\bshow (us )?that (it is|it's) you\b/i, "Confirm it's you"],
  [/\bby a slip\b/i, "to confirm"],
  [/\bIn progress\b/, "Live"],
  [/\bTo be confirmed\b/, "Waiting for confirmation"],
  [/\bmeanwhile\b/i, "just, since"],
  [/\bcannot\b/i, "can't"],
  [/\bYou (are|have) (not|no longer|already|in|on|off|signed|left|blocked|declined)\b/, "You're, You've"],
];

/**
 * Sentences whose subject is a clause with What or Who, or the word Nothing. Headings and labels such as "Who sees it",
 * which have no second verb, pass, and so do questions.
 */
const SUBJECTS: readonly RegExp[] = [
  /(^|[.!?:] )Nothing( else)? (is|was|has|had|were|will|can|counts|happens|changes|found|yet|among)\b/,
  /(^|[.!?:] )What (you|we|they|others|someone|players)( [\w'’]+){1,6} (is|are|was|has|will|can|stays?|comes?|counts?)\b/,
  /(^|[.!?:] )What (you|we|they|others|someone|players) \w+ [a-z]+s (?!(you|we|they)\b)\w+/,
  /(^|[.!?:] )Who(ever)?( [\w'’]+){1,6} (is|are|gets?|loses?|makes?|does|doesn't|will|won't|can't|stays?)\b[^?]*\.$/,
];

/** Log entries, thrown errors and SQL: players never see them. */
const isForOperators = (node: ts.Node): boolean =>
  (ts.isCallExpression(node) && /^(.*\.)?(log|console)\.\w+$|^attempt$/.test(node.expression.getText())) ||
  (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) ||
  (ts.isTaggedTemplateExpression(node) && node.tag.getText().startsWith("sql"));

/** Returns a file's texts, each on one line: string literals, templates and JSX text. */
function textsOf(path: string): string[] {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, readFileSync(join(ROOT, path), "utf8"), ts.ScriptTarget.Latest, true, kind);
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isForOperators(node) || ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) texts.push(node.text);
    else if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("…"));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text.includes(" "));
}

const sources = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.tsx?$/.test(path) && !NOT_READ.test(path));

const TEXTS = sources("app").flatMap((path) => textsOf(path).map((text) => ({ path, text })));

test("No text uses a word that docs/words.md replaces", () => {
  const found = TEXTS.flatMap(({ path, text }) =>
    REPLACED.filter(([word]) => word.test(text)).map(([, instead]) => `${path}: “${text}” (say: ${instead})`),
  );
  expect(found).toEqual([]);
});

test("No sentence begins with a clause as its subject, or with Nothing", () => {
  const mended = [
    "Lineup can't be reached from here. What you entered is still here: try again in a moment.",
    "Email carries only what the bell has. What you haven't read after 30 minutes comes in one email.",
    "What you wrote attacks people for who they are.",
    "This page can't take what was sent to it. Nothing was changed.",
    "Who only has the one doesn't get in.",
  ];
  const isOffence = (text: string) => SUBJECTS.some((subject) => subject.test(text));
  expect(mended.filter((text) => !isOffence(text))).toEqual([]);
  expect(TEXTS.filter(({ text }) => isOffence(text)).map(({ path, text }) => `${path}: “${text}”`)).toEqual([]);
});

test("The scan finds the texts of the app", () => {
  expect(TEXTS.length).toBeGreaterThan(2000);
  expect(TEXTS.map(({ text }) => text)).toContain("Too common and easy to guess. Pick another.");
});

test("The specification's toasts appear word for word", () => {
  const section = /## 8\. Error catalogue([\s\S]*?)### Other/.exec(
    readFileSync(join(ROOT, "docs/spec-map.md"), "utf8"),
  )?.[1];
  const toasts = [...(section ?? "").matchAll(/'(.+?)'(?=:| )/g)].map(([, words = ""]) => words);
  expect(toasts.length).toBeGreaterThan(20);
  const texts = new Set(TEXTS.map(({ text }) => text));
  expect(toasts.filter((words) => words.includes(" ") && !texts.has(words))).toEqual([]);
});
