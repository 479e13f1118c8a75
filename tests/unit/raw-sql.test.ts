import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import ts from "typescript";
import { expect, test } from "vitest";
import * as schema from "../../db/schema";

const ROOT = join(import.meta.dirname, "../..");

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
const TABLES = new Set<string>(tables.map(getTableName));
/** Column names with an underscore, which no other word of a statement has by chance. */
const COLUMNS = new Set(
  tables
    .flatMap((table) => Object.values(getTableColumns(table)).map(({ name }) => name))
    .filter((name) => name.includes("_")),
);

const sources = ["app", "party", "db"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !(folder === "db" && name.startsWith("schema")))
    .map((name) => join(folder, name)),
);

/** The texts of a file's `sql` templates, with `?` for each substitution. */
function templatesOf(path: string): string[] {
  const source = readFileSync(join(ROOT, path), "utf8");
  if (!/\bsql\b/.test(source)) return [];
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql") {
      const { template } = node;
      texts.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join("?"),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true));
  return texts;
}

/** The names of tables and columns that a statement spells out instead of taking them from the schema. */
function spelledOut(text: string): string[] {
  const words = text.replace(/'[^']*'/g, "''");
  return [...words.matchAll(/(?<!\bAS )(?:(\w+)\.)?\b(\w+)\b/g)].flatMap(([, of, word = ""]) => {
    // Skip names that a subquery of this statement defines, or the query that surrounds the statement.
    if (of && (of === "to_tell" || new RegExp(`[)?] AS ${of}\\b`).test(words))) return [];
    return TABLES.has(word) || COLUMNS.has(word) ? [word] : [];
  });
}

/**
 * How many names each file still spells out, nearly all of them fields of a select with one table or the columns of a
 * subquery (docs/decisions/0038). These numbers may only fall.
 */
const REMAINING: Record<string, number> = {
  "app/features/account/operator.server.ts": 8,
  "app/features/auth/sign-up/complete-sign-up.server.ts": 2,
  "app/features/auth/sign-up/queries.server.ts": 6,
  "app/features/auth/two-factor/second-factor.server.ts": 4,
  "app/features/auth/two-factor/two-factor-setup.server.ts": 3,
  "app/features/feedback/commands.server.ts": 1,
  "app/features/feedback/queries.server.ts": 1,
  "app/features/lfg/queries.server.ts": 6,
  "app/features/messages/queries.server.ts": 3,
  "app/features/notifications/queries.server.ts": 1,
  "app/features/notifications/shared/unread.server.ts": 1,
  "app/features/players/directory/directory.server.ts": 3,
  "app/features/settings/queries.server.ts": 1,
  "app/features/tournaments/access.server.ts": 3,
  "app/features/tournaments/bracket/queries.server.ts": 1,
  "app/features/tournaments/hosting/commands.server.ts": 2,
  "app/features/tournaments/list/queries.server.ts": 1,
  "app/features/tournaments/match/queries.server.ts": 1,
  "app/features/tournaments/play/queries.server.ts": 2,
  "app/features/tournaments/play/reinstatement.server.ts": 3,
  "app/features/tournaments/queries.server.ts": 4,
  "app/features/tournaments/shared/solo-names.server.ts": 4,
  "db/accounts.ts": 3,
};

test("Raw SQL takes the names of tables and columns from the schema", () => {
  const counts = sources.map((path) => [path, templatesOf(path).flatMap(spelledOut).length] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(REMAINING);
});

test("Only `transact` makes transactions, so that no result is read by its position", () => {
  const callers = sources.filter((path) => /\.batch\(/.test(readFileSync(join(ROOT, path), "utf8")));
  expect(callers.sort()).toEqual(["db/client.ts", "db/statements.ts"]);
});
