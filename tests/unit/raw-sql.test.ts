import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getTableColumns, getTableName, is, type SQL } from "drizzle-orm";
import { SQLiteAsyncDialect, SQLiteTable } from "drizzle-orm/sqlite-core";
import ts from "typescript";
import { expect, test } from "vitest";
import * as schema from "../../db/schema";
import { auditActions, eventActions, newsKinds } from "../../db/sql";
import { AUDIT_ACTIONS } from "../../db/words/audit-actions";
import { EVENT_ACTIONS } from "../../db/words/event-actions";
import { NEWS_KINDS } from "../../db/words/news-kinds";

const ROOT = join(import.meta.dirname, "../..");

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
const TABLES = new Set<string>(tables.map(getTableName));
/** Column names with an underscore. Names without one might match other words of a statement by chance. */
const COLUMNS = new Set(
  tables
    .flatMap((table) => Object.values(getTableColumns(table)).map(({ name }) => name))
    .filter((name) => name.includes("_")),
);

const sources = ["app", "party", "db", "scripts"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !(folder === "db" && name.startsWith("schema")))
    .map((name) => join(folder, name)),
);

/**
 * The texts of a file's `sql` templates.
 * @param show renders a substitution; by default as `?`
 */
function templatesOf(path: string, show: (substitution: ts.Expression) => string = () => "?"): string[] {
  const source = readFileSync(join(ROOT, path), "utf8");
  if (!/\bsql\b/.test(source)) return [];
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "sql") {
      const { template } = node;
      texts.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : template.templateSpans.reduce(
              (text, { expression, literal }) => text + show(expression) + literal.text,
              template.head.text,
            ),
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
  return [...words.matchAll(/(?<!\bAS )(?:(\w+)\.)?\b(\w+)\b/g)].flatMap(([, qualifier, word = ""]) => {
    // Skip names that are defined by a subquery of this statement, or by the query around it (`to_tell`).
    if (qualifier && (qualifier === "to_tell" || new RegExp(`[)?] AS ${qualifier}\\b`).test(words))) return [];
    return TABLES.has(word) || COLUMNS.has(word) ? [word] : [];
  });
}

/**
 * The number of names that each file still spells out. Nearly all are in the fields of a select from one table, or name
 * columns of a subquery (docs/decisions/0038). These numbers may only fall.
 */
const REMAINING: Record<string, number> = {
  "app/features/account/operator.server.ts": 8,
  "app/features/auth/sign-up/queries.server.ts": 6,
  "app/features/auth/two-factor/second-factor.server.ts": 4,
  "app/features/auth/two-factor/two-factor-setup.server.ts": 3,
  "app/features/feedback/queries.server.ts": 1,
  "app/features/lfg/post-list.server.ts": 3,
  "app/features/lfg/queries.server.ts": 3,
  "app/features/messages/queries.server.ts": 3,
  "app/features/notifications/queries.server.ts": 1,
  "app/features/notifications/shared/unread.server.ts": 1,
  "app/features/players/directory/directory.server.ts": 3,
  "app/features/settings/queries.server.ts": 1,
  "app/features/tournaments/bracket/queries.server.ts": 1,
  "app/features/tournaments/hosting/commands.server.ts": 2,
  "app/features/tournaments/list/queries.server.ts": 1,
  "app/features/tournaments/match/queries.server.ts": 1,
  "app/features/tournaments/play/queries.server.ts": 2,
  "app/features/tournaments/play/reinstatement.server.ts": 3,
  "app/features/tournaments/queries.server.ts": 4,
  "app/features/tournaments/shared/solo-names.server.ts": 1,
  "app/features/tournaments/shared/team-texts.server.ts": 2,
  "db/accounts.ts": 3,
};

test("Raw SQL takes the names of tables and columns from the schema", () => {
  const counts = sources.map((path) => [path, templatesOf(path).flatMap(spelledOut).length] as const);
  expect(Object.fromEntries(counts.filter(([, count]) => count > 0))).toEqual(REMAINING);
});

/** The listed words with a hyphen. Words without one might match other texts by chance. */
const HYPHENATED = new Set<string>(
  [...NEWS_KINDS, ...AUDIT_ACTIONS, ...EVENT_ACTIONS].filter((word) => word.includes("-")),
);

/** Finds the words that a statement compares with a column `kind` or `action`, and hyphenated listed words anywhere. */
function quotedWords(text: string): string[] {
  const beside = /\b(?:kind|action)\b[")]*\s*(?:=|<>|!=|IS|IS NOT|IN|NOT IN)[\s(]*((?:'[^']*'[\s,]*)+)/g;
  const compared = [...text.matchAll(beside)].flatMap(([, words = ""]) => words.match(/'[^']*'/g) ?? []);
  const listed = (text.match(/'[^']*'/g) ?? []).filter((word) => HYPHENATED.has(word.slice(1, -1)));
  return [...new Set([...compared, ...listed])];
}

test("Raw SQL takes kinds of news and actions from their lists", () => {
  const quoted = sources.flatMap((path) =>
    templatesOf(path, (substitution) => (/['`]/.test(substitution.getText()) ? "?" : substitution.getText()))
      .flatMap(quotedWords)
      .map((word) => `${path}: ${word}`),
  );
  expect(quoted).toEqual([]);
});

test("A kind or an action that is in no list does not compile in raw SQL", () => {
  const text = (statement: SQL) => new SQLiteAsyncDialect().sqlToQuery(statement);
  expect(text(newsKinds("contact", "message"))).toMatchObject({ sql: "'contact', 'message'", params: [] });
  expect(text(auditActions("erased")).sql).toBe("'erased'");
  expect(text(eventActions("registered")).sql).toBe("'registered'");
  // @ts-expect-error A typo in a kind of news.
  newsKinds("contact", "mesage");
  // @ts-expect-error A typo in an action of the audit log.
  auditActions("password-chnaged");
  // @ts-expect-error An action of the audit log, not of a tournament's.
  eventActions("erased");
});

test("Only `transact` makes transactions, so that no result is read by its position", () => {
  const callers = sources.filter((path) => /\.batch\(/.test(readFileSync(join(ROOT, path), "utf8")));
  // The large world passes plain SQL strings to the libSQL client, and reads none of the results.
  expect(callers.sort()).toEqual(["db/hrana.ts", "db/statements.ts", "scripts/worlds/large.ts"]);
});

test("Each new tournament says whether it is listed: the type asks for it, and no raw INSERT bypasses it", () => {
  type Row = typeof schema.tournaments.$inferInsert;
  const asks: Pick<Row, "isListed"> extends { isListed: boolean } ? true : false = true;
  expect(asks).toBe(true);
  const inserts = (path: string) =>
    /INSERT INTO (\$\{(schema\.)?)?tournaments\b/.test(readFileSync(join(ROOT, path), "utf8"));
  expect(sources.filter(inserts)).toEqual([]);
});
