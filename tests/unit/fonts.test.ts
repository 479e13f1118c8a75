import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { charactersOf, cutFonts, FACES } from "../../scripts/fonts";
import { ROOT } from "../../scripts/local/build";

test("The fonts are those that `npm run fonts` cuts from their packages", async () => {
  const files = [...(await cutFonts())];
  expect(files.length).toBeGreaterThan(2);
  for (const [path, content] of files) {
    const isSame = readFileSync(join(ROOT, "app/styles", path)).equals(content);
    expect(isSame, `${path}: run \`npm run fonts\``).toBe(true);
  }
});

test.each([
  ["Onest Variable", "@fontsource-variable/onest"],
  ["Special Gothic Expanded One", "@fontsource/special-gothic-expanded-one"],
])("Each character of the alphabets that %s's package declares is in one of our files", (typeface, name) => {
  const path = createRequire(import.meta.url).resolve(`${name}/unicode.json`);
  const subsets = JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
  const faces = FACES.filter((face) => face.typeface === typeface);
  const ours = new Set(faces.flatMap(({ range }) => charactersOf(range)));
  // Our files leave out the package's mathematics and symbols.
  const { math: _, symbols: __, ...alphabets } = subsets;
  const declared = Object.values(alphabets).flatMap((range) => charactersOf(range));
  expect(declared.length).toBeGreaterThan(400);
  expect(declared.filter((character) => !ours.has(character) && !/\p{Cc}/u.test(character))).toEqual([]);
});
