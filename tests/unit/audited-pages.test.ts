import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUDITED, UNSEEN } from "../e2e/audited-pages";

const ROOT = join(import.meta.dirname, "../..");

/** The names of the routes that render a component: of the file without its extension, or of the folder. */
function pages(): string[] {
  const folder = join(ROOT, "app/routes");
  return readdirSync(folder).flatMap((name) => {
    const file = existsSync(join(folder, name, "route.tsx")) ? join(folder, name, "route.tsx") : join(folder, name);
    if (!file.endsWith(".tsx") || !/^export (default |\{[^}]*\bdefault\b)/m.test(readFileSync(file, "utf8"))) return [];
    return [name.replace(/\.tsx$/, "")];
  });
}

test("Each page is audited by axe, or is listed as unseen", () => {
  const listed = [...Object.values(AUDITED).flat(), ...Object.keys(UNSEEN)];
  expect(listed.length).toBe(new Set(listed).size);
  expect(listed.sort()).toEqual(pages().sort());
});

test("Each file that is said to audit pages does so", () => {
  for (const name of Object.keys(AUDITED)) {
    const source = readFileSync(join(ROOT, `tests/e2e/${name}.spec.ts`), "utf8");
    expect(source, name).toContain("await expectAccessibleEverywhere(");
  }
});
