import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import subsetFont from "subset-font";
import { ROOT } from "./local/build";

/**
 * `npm run fonts`: cuts our two typefaces from Fontsource's files into `app/styles/fonts`, and writes the style sheet
 * that declares them (docs/decisions/0078-smaller-fonts-and-cards-out-of-view.md). A browser downloads a file when a
 * page shows one of its characters.
 */

interface Face {
  typeface: string;
  /** The CSS family: for the preloaded file the typeface's own name, for the others a name that pages use once idle. */
  family: string;
  /** The file's name, without its extension. */
  name: string;
  /** Fontsource's file, by its package's path. */
  source: string;
  /** The characters, in CSS notation. Those that a later file of the typeface also covers are left to that file. */
  range: string;
}

const TEXT = "@fontsource-variable/onest/files/onest";
const DISPLAY = "@fontsource/special-gothic-expanded-one/files/special-gothic-expanded-one";
/** The lightest and the boldest weight in use: Onest's own axis goes from 100 to 900. */
const WEIGHTS = { min: 400, max: 700 };

/** ASCII, and the punctuation and symbols in our own copy. */
const BASIC = "U+0020-007E, U+00A0, U+00B7, U+00D7, U+2000-206F, U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215";
const WESTERN =
  "U+00A1-00B6, U+00B8-00D6, U+00D8-00FF, U+0131, U+0152-0153, U+02BB-02BC, U+02C6, U+02DA, U+02DC, U+0304, U+0308, " +
  "U+0329, U+FEFF, U+FFFD";
/** The rest of Europe's Latin alphabets. */
const EUROPEAN = "U+0100-017F, U+0218-021B";
const LATIN_REST = "U+0180-02FF, U+0304, U+0308, U+0329, U+1D00-1EFF, U+20A0-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF";
const CYRILLIC = "U+0301, U+0400-045F, U+0490-0491, U+04B0-04B1, U+2116";
const CYRILLIC_REST = "U+0460-052F, U+1C80-1C8A, U+20B4, U+2DE0-2DFF, U+A640-A69F, U+FE2E-FE2F";
const VIETNAMESE =
  "U+0102-0103, U+0110-0111, U+0128-0129, U+0168-0169, U+01A0-01A1, U+01AF-01B0, U+0300-0301, U+0303-0304, " +
  "U+0308-0309, U+0323, U+0329, U+1EA0-1EF9, U+20AB";

const text = (name: string, source: string, range: string, isFirst = false): Face => ({
  typeface: "Onest Variable",
  family: isFirst ? "Onest Variable" : "Onest More",
  name: `onest-${name}`,
  source: `${TEXT}-${source}-wght-normal.woff2`,
  range,
});
const display = (name: string, source: string, range: string, isFirst = false): Face => ({
  typeface: "Special Gothic Expanded One",
  family: isFirst ? "Special Gothic Expanded One" : "Special Gothic More",
  name: `special-gothic-${name}`,
  source: `${DISPLAY}-${source}-400-normal.woff2`,
  range,
});

/** All files. A character that two files of a typeface cover is left to the later one. */
export const FACES: readonly Face[] = [
  text("cyrillic-rest", "cyrillic-ext", CYRILLIC_REST),
  text("cyrillic", "cyrillic", CYRILLIC),
  text("latin-rest", "latin-ext", LATIN_REST),
  text("vietnamese", "vietnamese", VIETNAMESE),
  text("european", "latin-ext", EUROPEAN),
  // These are in one file, because half of the lists show a name with a Western European letter.
  text("western", "latin", `${BASIC}, ${WESTERN}`, true),
  display("latin-rest", "latin-ext", LATIN_REST),
  display("european", "latin-ext", EUROPEAN),
  display("western", "latin", WESTERN),
  display("basic", "latin", BASIC, true),
];

/** @returns the contents of the fonts and of `font-faces.css`, by their paths in `app/styles` */
export async function cutFonts(): Promise<Map<string, Buffer>> {
  const { resolve } = createRequire(import.meta.url);
  const files = new Map<string, Buffer>();
  let css = "/* Written by `npm run fonts`. */\n";
  for (const [at, { typeface, family, name, source, range }] of FACES.entries()) {
    const later = FACES.slice(at + 1).filter((face) => face.typeface === typeface);
    const taken = new Set(later.flatMap((face) => charactersOf(face.range)));
    const characters = charactersOf(range).filter((character) => !taken.has(character));
    const isVariable = source.startsWith(TEXT);
    files.set(
      `fonts/${name}.woff2`,
      await subsetFont(readFileSync(resolve(source)), characters.join(""), {
        targetFormat: "woff2",
        ...(isVariable && { variationAxes: { wght: WEIGHTS } }),
      }),
    );
    css += `@font-face {
  font-family: "${family}";
  font-display: swap;${isVariable ? `\n  font-weight: ${WEIGHTS.min} ${WEIGHTS.max};` : ""}
  src: url("./fonts/${name}.woff2") format("woff2");
  unicode-range: ${range};
}
`;
  }
  return files.set("font-faces.css", Buffer.from(css));
}

/** Lists the characters of a range in CSS's notation, such as `U+0020-007E, U+00A0`. */
export function charactersOf(range: string): string[] {
  return range.split(/,\s*/).flatMap((part) => {
    const [from = 0, to = from] = part
      .slice(2)
      .split("-")
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const [path, content] of await cutFonts()) {
    writeFileSync(join(ROOT, "app/styles", path), content);
    console.log(`${path}: ${content.byteLength.toLocaleString("en")} bytes`);
  }
}
