import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cutFonts } from "../../scripts/fonts";
import { ROOT } from "../../scripts/local/build";

test("The fonts are those that `npm run fonts` cuts from their packages", async () => {
  const files = [...(await cutFonts())];
  expect(files.length).toBeGreaterThan(2);
  for (const [path, content] of files) {
    const isSame = readFileSync(join(ROOT, "app/styles", path)).equals(content);
    expect(isSame, `${path}: run \`npm run fonts\``).toBe(true);
  }
});
