import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { keepUnderDialog, pageUnderDialog, reloadIfOutdated } from "../../app/ui/dialogs/dialogs";

const APP = join(import.meta.dirname, "../../app");

/** A path for each page, and whether its route renders a `RouteDialog`, itself or by one of the features' parts. */
function pages(): { path: string; isDialog: boolean }[] {
  const sources = (folder: string) =>
    readdirSync(join(APP, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".tsx"))
      .map((file) => ({ file, source: readFileSync(join(APP, folder, file), "utf8") }));
  const importsOne = (modules: string[], source: string) => modules.some((name) => source.includes(`/${name}"`));
  const parts = sources("features").filter(({ source }) => importsOne(["route-dialog"], source));
  const modules = ["route-dialog", ...parts.map(({ file }) => basename(file, ".tsx"))];
  const routes = sources("routes").filter(({ source }) => /^export (default |\{[^}]*\bdefault\b)/m.test(source));
  return routes.map(({ file, source }) => {
    const segments = file.replace(/(\/route)?\.tsx$/, "").split(".");
    const path = segments
      .filter((one) => !one.startsWith("_"))
      .map((one) => one.replace(/^\$.*/, "3").replace(/_$/, ""));
    return { path: `/${path.join("/")}`, isDialog: importsOne(modules, source) };
  });
}

describe("the page under a dialog", () => {
  it("is known for every dialog, and no other page has one", () => {
    const found = pages();
    expect(found).toContainEqual({ path: "/tournaments/3/matches/3/evidence/3/report", isDialog: true });
    expect(found).toContainEqual({ path: "/players/3/block", isDialog: true });
    expect(found).toContainEqual({ path: "/players/3", isDialog: false });
    for (const { path, isDialog } of found) expect(pageUnderDialog(path) !== null, path).toBe(isDialog);
  });

  it("is derived from the dialog's path", () => {
    expect(pageUnderDialog("/dashboard/lfg/new")).toBe("/dashboard");
    expect(pageUnderDialog("/dashboard/lfg/new/")).toBe("/dashboard");
    expect(pageUnderDialog("/lfg/01a1/edit")).toBe("/lfg/01a1");
    for (const word of ["close", "delete"]) expect(pageUnderDialog(`/lfg/01a1/${word}`)).toBe("/lfg/01a1");
    expect(pageUnderDialog("/dashboard/messages/01a1/block")).toBe("/dashboard/messages/01a1");
    expect(pageUnderDialog("/dashboard/messages/01a1/report")).toBe("/dashboard/messages/01a1");
    expect(pageUnderDialog("/players/01a1/feedback")).toBe("/players/01a1");
    expect(pageUnderDialog("/players/01a1/report/02b2")).toBe("/players/01a1");
    expect(pageUnderDialog("/players/01a1/report")).toBe("/players/01a1");
    expect(pageUnderDialog("/dashboard/messages/01a1/report/02b2")).toBe("/dashboard/messages/01a1");
    expect(pageUnderDialog("/tournaments/01a1/matches/3/report/02b2")).toBe("/tournaments/01a1/matches/3");
    expect(pageUnderDialog("/tournaments/01a1/matches/3/evidence/02b2/report")).toBe("/tournaments/01a1/matches/3");
    expect(pageUnderDialog("/tournaments/01a1/teams/02b2/report")).toBe("/tournaments/01a1/teams/02b2");
    expect(pageUnderDialog("/tournaments/01a1/teams/02b2/disqualify")).toBe("/tournaments/01a1/teams/02b2");
    for (const page of ["/", "/dashboard", "/dashboard/messages", "/lfg/01a1", "/lfg/edit", "/dashboard/lfg/new/x"]) {
      expect(pageUnderDialog(page), page).toBeNull();
    }
  });

  /** Whether the page is loaded on a navigation from one URL to another. */
  const loads = (from: string, to: string, formMethod?: "POST", actionStatus?: number) =>
    keepUnderDialog({
      currentUrl: new URL(from, "https://lineup.test"),
      nextUrl: new URL(to, "https://lineup.test"),
      currentParams: {},
      nextParams: {},
      defaultShouldRevalidate: true,
      ...(formMethod && { formMethod }),
      ...(actionStatus && { actionStatus }),
    });

  it("is not loaded again when the dialog opens or closes", () => {
    expect(loads("/dashboard", "/dashboard/lfg/new")).toBe(false);
    expect(loads("/dashboard/lfg/new?rank=Gold+1", "/dashboard?rank=Gold+1")).toBe(false);
  });

  it("is loaded after a form is sent, and on every other navigation", () => {
    expect(loads("/dashboard/lfg/new", "/dashboard", "POST")).toBe(true);
    expect(loads("/dashboard/messages/1", "/dashboard/messages/1", "POST", 200)).toBe(true);
    expect(loads("/dashboard/lfg/new", "/dashboard/lfg/new")).toBe(true);
    expect(loads("/dashboard/lfg/new", "/dashboard?rank=Gold+1")).toBe(true);
    expect(loads("/dashboard", "/dashboard")).toBe(true);
    expect(loads("/dashboard", "/lfg/1")).toBe(true);
    expect(loads("/lfg/1/edit", "/lfg/2")).toBe(true);
  });

  it("is loaded again if one of its own buttons was pressed too late, and says so", () => {
    const reloads = (formAction: string, actionStatus: number) =>
      reloadIfOutdated({
        currentUrl: new URL("https://lineup.test/lfg/1"),
        nextUrl: new URL("https://lineup.test/lfg/1"),
        currentParams: {},
        nextParams: {},
        defaultShouldRevalidate: false,
        formMethod: "POST",
        formAction,
        actionStatus,
      });
    expect(reloads("/lfg/1", 409)).toBe(true);
    expect(reloads("/lfg/1", 400)).toBe(false);
    expect(reloads("/lfg/1/edit", 409)).toBe(false);
  });

  it("is not loaded again after a refused form", () => {
    for (const status of [400, 429, 503]) {
      expect(loads("/dashboard/lfg/new", "/dashboard/lfg/new", "POST", status)).toBe(false);
    }
  });
});
