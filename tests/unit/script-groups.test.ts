import { describe, expect, test } from "vitest";
import { findInterop, foldConstants } from "../../scripts/local/fold-constants";
import { groupScripts, type Script } from "../../scripts/local/script-groups";

const script = (size: number, imports: string[] = []): Script => ({ size, imports });

/** The groups as lists of names, each in alphabetical order. */
function groupNames(scripts: Record<string, Script>, pages: string[][], shell: string[] = []): string[][] {
  const groups = groupScripts(
    new Map(Object.entries(scripts)),
    pages.map((page) => new Set(page)),
    new Set(shell),
  );
  const names: string[][] = [];
  for (const [name, group] of groups) names[group] = [...(names[group] ?? []), name].sort();
  return names.filter(Boolean).sort();
}

describe("groupScripts", () => {
  test("Scripts of the same pages come into one file, however large", () => {
    expect(groupNames({ a: script(50_000), b: script(90_000) }, [["a", "b"]])).toEqual([["a", "b"]]);
  });

  test("A small script joins a group that nearly all of its pages load", () => {
    const pages = [["a", "b"], ["a", "b"], ["a", "b"], ["a"]];
    expect(groupNames({ a: script(5_000), b: script(200) }, pages)).toEqual([["a", "b"]]);
  });

  test("A large script stays apart from pages that don't use it", () => {
    const pages = [["a", "b"], ["a"], ["a"], ["a"]];
    expect(groupNames({ a: script(5_000), b: script(20_000) }, pages)).toEqual([["a"], ["b"]]);
  });

  test("The shell counts as loaded by every page, and a script of no page is left out", () => {
    const scripts = { a: script(100), b: script(100), lazy: script(100) };
    expect(groupNames(scripts, [["b"], ["b"]], ["a"])).toEqual([["a", "b"]]);
  });

  test("Two groups aren't merged if a third would import them and be imported by them", () => {
    // a → c → b, where c is too large to join pages that don't use it.
    const scripts = { a: script(10, ["c"]), b: script(10), c: script(90_000, ["b"]) };
    const pages = [...Array(9).fill(["a", "b"]), ["a", "b", "c"], ["b"], ["a"]];
    expect(groupNames(scripts, pages)).toEqual([["a"], ["b"], ["c"]]);
    expect(groupNames({ ...scripts, c: script(90_000) }, pages)).toEqual([["a", "b"], ["c"]]);
  });
});

describe("foldConstants", () => {
  const interop = { file: "helpers.js", exported: "d" };
  const fold = (code: string) => foldConstants(code, interop, (source) => source === "helpers.js");

  test("Remix's settings, which are the same in each page, become their values", () => {
    expect(fold("if(a.future.v3_singleFetch&&!b?.isSpaMode)c(d.v7_startTransition)")).toBe("if(true&&!false)c(true)");
  });

  test("Properties that differ between pages, computed ones and those of every object stay", () => {
    const code = "a.v3_lazyRouteDiscovery(a[isSpaMode],a.hasOwnProperty)";
    expect(fold(code)).toBe(code);
  });

  test("The page's own objects are always there", () => {
    expect(fold("if(typeof window>'u'||typeof other>'u')a()")).toBe("if(\"object\">'u'||typeof other>'u')a()");
  });

  test("Imports of CommonJS modules may be left out when they aren't used", () => {
    expect(fold('import{d as t}from"helpers.js";var a=t(b(),1),c=e(b());')).toBe(
      'import{d as t}from"helpers.js";var a=/*#__PURE__*/t(/*#__PURE__*/b(),1),c=e(b());',
    );
  });

  describe("in React's and Remix's scripts", () => {
    const foldFramework = (code: string) => foldConstants(code, interop, () => false, true);

    test("Properties that only servers have become constants, by themselves and in patterns", () => {
      expect(foldFramework("if(!a.static&&window.__remixHdrActive)b(__remixContext.a,c.a)")).toBe(
        "if(!false&&undefined)b(undefined,c.a)",
      );
      expect(foldFramework("let{manifest:a,static:b,future:c}=d(e.future.v3_singleFetch),f=1")).toBe(
        "let{manifest:a,future:c}=d(true),b=false,f=1",
      );
      expect(foldFramework("let{static:a}=b.isSpaMode")).toBe("let{}=false,a=false");
      expect(fold("let{static:b}=c.static")).toBe("let{static:b}=c.static");
    });

    test("Components may be left out when they aren't used, because they have no name and their call no effect", () => {
      expect(foldFramework('var a=b.forwardRef(c),d=b.memo(e);a.displayName="Link",f(a.displayName)')).toBe(
        "var a=/*#__PURE__*/b.forwardRef(c),d=b.memo(e);0,f(a.displayName)",
      );
      expect(fold('a.displayName="Link"')).toBe('a.displayName="Link"');
    });

    test("Patterns that collect the other properties stay", () => {
      expect(foldFramework("let{static:a,...b}=c")).toBe("let{static:a,...b}=c");
    });

    test("Remix's own ways to fetch and defer data are left out, because all data comes in one response", () => {
      expect(
        foldFramework(
          'async function a(b,c,d){if(typeof d=="function")return await d();let e=await f(b.static);return e}',
        ),
      ).toBe('async function a(b,c,d){if(typeof d=="function")return await d();}');
      expect(foldFramework('function a(b){let c=b;return c&&typeof c.resolveData=="function"}')).toBe(
        "function a(b){return!1}",
      );
    });
  });

  test("esbuild's helper is found by its code, under the name of its export", () => {
    const helpers = "var o=Object.getOwnPropertyNames,i=(n,b)=>!b&&n&&n.__esModule?n:{},z=1;export{z as a,i as d};";
    expect(
      findInterop([
        ["other.js", "var a=1;"],
        ["helpers.js", helpers],
      ]),
    ).toEqual(interop);
    expect(() => findInterop([["other.js", "var a=1;"]])).toThrow("__toESM");
  });
});
