import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { converter, formatHex, parse, wcagContrast } from "culori";
import postcss, { type AtRule, type Rule } from "postcss";
import { beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/local/build";

/** The values of custom properties, as the stylesheet writes them, by the properties' names without leading dashes. */
type Tokens = Record<string, string>;

interface TokenRule {
  selector: string;
  /** The media query around the rule; empty without one. */
  media: string;
  tokens: Tokens;
}

const THEMES = ["dark", "light"] as const;
type Theme = (typeof THEMES)[number];

const RANKS = ["iron", "bronze", "silver", "gold", "platinum", "diamond", "ascendant", "immortal", "radiant"];
const SURFACES = ["floor", "sheet", "raised", "overlay", "well", "skeleton"];

/** For each token: the surfaces that it is shown on, and the least contrast of these pairs in each theme. */
const COLUMNS: readonly { tokens: readonly string[]; on: readonly string[]; least: Record<Theme, number> }[] = [
  column("text", [...SURFACES, "spot-wash", "own", "danger-wash"], 10.99, 12.32),
  column("muted", [...SURFACES, "spot-wash", "own", "danger-wash"], 6.34, 6.26),
  column("faint", [...SURFACES, "spot-wash", "danger-wash"], 5.51, 5.2),
  column("spot-text", [...SURFACES, "spot-wash"], 8.82, 6.07),
  column("good", SURFACES, 9.16, 5.57),
  column("warn", SURFACES, 9.4, 5.28),
  column("danger", [...SURFACES, "danger-wash"], 6.3, 5.21),
  column("on-spot", ["spot", "spot-hover"], 9.87, 9.87),
  column("on-banner", ["banner"], 13.02, 11.42),
  column("edge", [...SURFACES, "spot-wash"], 3.36, 3.56),
  column("spot-edge", [...SURFACES, "spot-wash"], 8.13, 5.38),
  { ...column("ranks", [...SURFACES, "spot-wash"], 4.62, 3.44), tokens: RANKS.map((rank) => `rank-${rank}`) },
  // The text on destructive buttons. The design gives no figure, so this is WCAG's minimum for text.
  column("on-danger", ["danger"], 4.5, 4.5),
];

function column(token: string, on: readonly string[], dark: number, light: number) {
  return { tokens: [token], on, least: { dark, light } };
}

/** Text needs a contrast of 4.5; lines and icons need 3 (WCAG 2.2, 1.4.3 and 1.4.11). */
const isText = (token: string) => !/^(edge|spot-edge|rank-)/.test(token);

let rules: TokenRule[];
let themes: Record<Theme, Tokens>;

beforeAll(() => {
  rules = readTokenRules(builtStylesheet());
  const dark = only((rule) => rule.media === "" && rule.selector === ":root").tokens;
  themes = { dark, light: { ...dark, ...chosenLight().tokens } };
});

const only = (matches: (rule: TokenRule) => boolean): TokenRule => {
  const found = rules.filter(matches);
  expect(found).toHaveLength(1);
  return found[0] as TokenRule;
};
const chosenLight = () => only(({ selector }) => selector.includes("[data-theme=light]"));
const systemLight = () => only(({ media }) => media === "(prefers-color-scheme:light)");
const moreContrast = () => only(({ media }) => media === "(prefers-contrast:more)");
const forcedColors = () => only(({ media }) => media === "(forced-colors:active)");

describe("the themes", () => {
  test("have the same light tokens whether system or player chooses light, and the player can also choose dark", () => {
    expect(systemLight().tokens).toEqual(chosenLight().tokens);
    expect(systemLight().selector).toBe(":root:where(:not([data-theme=dark]))");
    expect(chosenLight().selector).toBe(":root:where([data-theme=light])");
  });

  test.each(THEMES)("show every colour as designed: %s lies in sRGB", (theme) => {
    const toRgb = converter("rgb");
    const colours = Object.keys(themes[theme]).filter((name) => parse(resolve(themes[theme], name)));
    expect(colours.length).toBeGreaterThan(30);
    const outside = colours.filter((name) => {
      const { r, g, b } = toRgb(parse(resolve(themes[theme], name))) as { r: number; g: number; b: number };
      return [r, g, b].some((channel) => channel < -1e-4 || channel > 1 + 1e-4);
    });
    expect(outside).toEqual([]);
  });
});

describe.each(THEMES)("contrast, %s", (theme) => {
  test.each(COLUMNS)("$tokens has enough contrast", ({ tokens, on, least }) => {
    const pairs = pairsOf(themes[theme], tokens, on);
    for (const { token, surface, contrast } of pairs) {
      expect(contrast, `${token} on ${surface}`).toBeGreaterThanOrEqual(isText(token) ? 4.5 : 3);
    }
    expect(worst(pairs)).toBeGreaterThanOrEqual(least[theme]);
  });

  test.each(COLUMNS)("a fainter $tokens fails the check", ({ tokens, on, least }) => {
    for (const token of tokens) {
      // Halfway to the surface with the least contrast.
      const [pair] = pairsOf(themes[theme], [token], on).sort((a, b) => a.contrast - b.contrast);
      const { l, ...rest } = converter("oklch")(colour(themes[theme], token)) as {
        mode: "oklch";
        l: number;
        c: number;
      };
      const surface = converter("oklch")(colour(themes[theme], pair?.surface as string)) as { l: number };
      const fainter = formatHex({ ...rest, l: (l + surface.l) / 2 });
      expect(worst(pairsOf({ ...themes[theme], [token]: fainter }, tokens, on)), token).toBeLessThan(least[theme]);
    }
  });

  test("rises where the system asks for more: lines become edges, muted text becomes plain text", () => {
    const { tokens } = moreContrast();
    const asked = { ...themes[theme], ...tokens };
    expect(resolve(asked, "line")).toBe(resolve(themes[theme], "edge"));
    expect(resolve(asked, "muted")).toBe(resolve(themes[theme], "text"));
    expect(resolve(asked, "faint")).toBe(resolve(themes[theme], "text"));
  });

  test("follows forced colours: tokens that the browser can't force by itself are system colours", () => {
    const { tokens } = forcedColors();
    const painted = ["line", "edge", "spot-edge", "good", "warn", "danger", ...RANKS.map((rank) => `rank-${rank}`)];
    for (const name of painted) expect(tokens[name], name).toMatch(/^(CanvasText|Highlight)$/i);
    expect(tokens["rank-radiant-core"]).toMatch(/^Canvas$/i);
  });
});

test("The rules for system preferences follow the themes with equal specificity, so they win in both", () => {
  for (const asked of [moreContrast(), forcedColors()]) {
    expect(asked.selector).toBe(":root");
    for (const theme of [systemLight(), chosenLight()]) {
      expect(rules.indexOf(asked)).toBeGreaterThan(rules.indexOf(theme));
      // `:where` has no specificity.
      expect(theme.selector).toMatch(/^:root:where\(.*\)$/);
    }
  }
});

function builtStylesheet(): string {
  const assets = join(ROOT, "public/build/_assets");
  const sheets = readdirSync(assets).filter((name) => /^app-\w+\.css$/.test(name));
  expect(sheets).toHaveLength(1);
  return readFileSync(join(assets, sheets[0] as string), "utf8");
}

/** The rules that set colour tokens on the root element, except those in cascade layers, in order. */
function readTokenRules(css: string): TokenRule[] {
  const found: TokenRule[] = [];
  postcss.parse(css).walkRules(/^:root/, (rule: Rule) => {
    const { parent } = rule;
    const around = parent?.type === "atrule" ? (parent as AtRule) : undefined;
    if (around && around.name !== "media") return;
    const tokens: Tokens = {};
    rule.each((node) => {
      if (node.type === "decl" && node.prop.startsWith("--")) tokens[node.prop.slice(2)] = node.value.trim();
    });
    if (!("line" in tokens)) return;
    const plain = (text: string) => text.replace(/["'\s]/g, "");
    found.push({ selector: plain(rule.selector), media: plain(around?.params ?? ""), tokens });
  });
  return found;
}

/** A token's value, with its references resolved. */
function resolve(tokens: Tokens, name: string): string {
  const value = tokens[name];
  if (value === undefined) throw new Error(`There is no token --${name}.`);
  const reference = value.match(/^var\(--([\w-]+)\)$/)?.[1];
  return reference ? resolve(tokens, reference) : value;
}

/** A token's colour as screens show it: 8 bits a channel. The figures of `COLUMNS` were computed on these. */
const colour = (tokens: Tokens, name: string) => formatHex(resolve(tokens, name)) as string;

const pairsOf = (tokens: Tokens, names: readonly string[], surfaces: readonly string[]) =>
  names.flatMap((token) =>
    surfaces.map((surface) => ({
      token,
      surface,
      contrast: wcagContrast(colour(tokens, token), colour(tokens, surface)),
    })),
  );

/** The least contrast, rounded to two decimals as in `COLUMNS`. */
const worst = (pairs: readonly { contrast: number }[]) =>
  Number(Math.min(...pairs.map(({ contrast }) => contrast)).toFixed(2));
