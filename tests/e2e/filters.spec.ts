import type { Page } from "@playwright/test";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { holdRequests, newPlayer, signInQuietly } from "./steps";

/** Expects the address to name these filters and no others, or without JavaScript at least these. */
async function expectFilters(page: Page, expected: Record<string, string>): Promise<void> {
  await expect(async () => {
    const { searchParams } = new URL(page.url());
    const set = [...searchParams].filter(([, value]) => hasJavaScript() || value !== "");
    expect(Object.fromEntries(set)).toEqual(expected);
  }).toPass();
}

test("The directory's filters apply as they change, and the address names only those that are set", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/players?sort=best");
  const form = page.getByRole("form", { name: "Filter players" });
  const apply = () => (hasJavaScript() ? undefined : form.getByRole("button", { name: "Apply" }).click());
  await form.getByLabel("Region").selectOption("Europe");
  await apply();
  await expectFilters(page, { sort: "best", region: "Europe" });
  await form.getByLabel("Name").fill("nobody is called this");
  await apply();
  await expectFilters(page, { sort: "best", region: "Europe", name: "nobody is called this" });
  await expect(page.getByText("No player fits these filters right now.")).toBeVisible();
  if (hasJavaScript()) await expect(form.getByLabel("Name")).toBeFocused();
  await form.getByLabel("Name").fill("");
  await form.getByLabel("Region").selectOption("");
  await apply();
  await expectFilters(page, { sort: "best" });
});

test("The tournaments' filters apply as they change, and the address names only those that are set", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app, { timeZone: "Europe/Berlin" }));
  await visit(page, "/dashboard/tournaments");
  const form = page.getByRole("form", { name: "Filter tournaments" });
  const apply = () => (hasJavaScript() ? undefined : form.getByRole("button", { name: "Apply" }).click());
  await expect(page.getByRole("heading", { name: "Newest" })).toBeVisible();
  await form.getByLabel("Open for registration").check();
  await apply();
  await expect(page.getByRole("heading", { name: "Registration closes soonest" })).toBeVisible();
  await expectFilters(page, { open: "on", ...(!hasJavaScript() && { zone: "Europe/Berlin" }) });
  await form.getByLabel("From").fill("2031-05-01");
  await apply();
  await expect(page.getByText("No tournament fits these filters right now.")).toBeVisible();
  await expectFilters(page, { open: "on", from: "2031-05-01", zone: "Europe/Berlin" });
  await page.getByRole("link", { name: "Reset" }).click();
  await expectFilters(page, {});
  await expect(form.getByLabel("Open for registration")).not.toBeChecked();
});

test("A word typed while a chosen filter is being applied stays in its field and is applied as well", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript filters apply with their button");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const filters = page.getByRole("form", { name: "Filter posts" });
  await filters.getByLabel("Role").evaluate((role) => {
    if (!(role instanceof HTMLSelectElement)) return;
    role.value = "Duelist";
    role.dispatchEvent(new Event("change", { bubbles: true }));
    // This timer runs right after the one that submits the form.
    setTimeout(() => {
      document.querySelector<HTMLInputElement>("[name=q]")?.focus();
      document.execCommand("insertText", false, "eclair");
    });
  });
  await expectFilters(page, { role: "Duelist", q: "eclair" });
  await expect(filters.getByLabel("Search")).toHaveValue("eclair");
});

test("Back shows the filters of its address, even if the last ones were chosen in quick succession", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript filters apply with their button");
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard");
  const role = page.getByRole("form", { name: "Filter posts" }).getByLabel("Role");
  await role.selectOption("Initiator");
  await expectFilters(page, { role: "Initiator" });
  const release = await holdRequests(page, /\/dashboard\.data/);
  for (const choice of ["Duelist", "Initiator", "Duelist"]) {
    const asked = page.waitForRequest((request) => request.url().includes(`role=${choice}`));
    await role.selectOption(choice);
    await asked;
  }
  release();
  await expectFilters(page, { role: "Duelist" });
  await page.goBack();
  await expectFilters(page, { role: "Initiator" });
  await expect(role).toHaveValue("Initiator");
});
