import { expect, expectAccessible, hasJavaScript, hydrated, signInAs, test, visit } from "../support/e2e";

test("landing", async ({ page }) => {
  await visit(page, "/");
  await expect(page.getByRole("link", { name: "Sign In" })).toBeVisible();
  await expectAccessible(page);
});
test("sign in by form", async ({ page }) => {
  await visit(page, "/auth");
  await page.getByRole("textbox", { name: "Email" }).fill("player1@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill("password123");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/dashboard");
  await hydrated(page);
});
test("wrong password gives 400 and no failure", async ({ page }) => {
  await visit(page, "/auth");
  await page.getByRole("textbox", { name: "Email" }).fill("player1@example.com");
  await page.getByRole("textbox", { name: "Password" }).fill("wrong one");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("alert").first()).toBeVisible();
});
test("planted", async ({ page, anotherPage }) => {
  await signInAs(page, "player2@example.com");
  await visit(page, "/dashboard");
  await expect(page.getByRole("heading", { name: "Welcome back, player2" })).toBeVisible();
  await expectAccessible(page);
  const other = await anotherPage();
  await visit(other, "/dashboard");
  await expect(other).toHaveURL(/\/auth/);
  await signInAs(other, "player3@example.com");
  await visit(other, "/dashboard");
  await expect(other.getByRole("heading", { name: "Welcome back, player3" })).toBeVisible();
  console.log(await other.evaluate(() => navigator.userAgent), hasJavaScript());
});
test("fails on console error", async ({ page }) => {
  test.fail();
  await visit(page, "/");
  await page.evaluate(() => console.error("boo"));
});
test("fails on a violation", async ({ page }) => {
  test.fail();
  await visit(page, "/");
  await page.evaluate(() => {
    const i = document.createElement("img");
    i.src = "http://127.0.0.1:1/x.png";
    document.body.append(i);
  });
  await page.locator("img[src*='127']").waitFor({ state: "attached" });
  await page.waitForTimeout(200);
});
test("no scripts after axe", async ({ page }) => {
  await visit(page, "/auth");
  await expectAccessible(page);
  await visit(page, "/auth?tab=sign-up");
  await expectAccessible(page);
  console.log(hasJavaScript(), await page.locator("html[data-hydrated]").count());
  await page.goto("/nope/at/all");
  await expectAccessible(page);
});
