import { expect, hasJavaScript, test, visit } from "../support/e2e";

// This file has its own app, with a stand-in for Turnstile and the real rate limits.
test.use({ appOptions: { humanCheck: true, limitFactor: 1 } });

test("Visitors sign up by passing a check or, without JavaScript, up to three times an hour", async ({ page, app }) => {
  const turnstile = app.turnstile as NonNullable<typeof app.turnstile>;
  const attempt = async (email: string, password: string) => {
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    if (hasJavaScript()) await expect(page.locator("input[name=humanToken]")).toHaveValue(/./);
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
  };
  const step1 = page.getByRole("heading", { name: "Create your account" });

  await visit(page, "/auth?tab=sign-up");
  await attempt("checked@lineup.test", "password");
  await expect(page.getByText("Too common and easy to guess").first()).toBeVisible();
  await expect(step1).toBeVisible();
  for (let number = 1; number <= 4; number += 1) {
    await visit(page, "/auth?tab=sign-up");
    await attempt(`checked-${number}@lineup.test`, "four smokes and a wall");
    if (!hasJavaScript() && number === 4) {
      await expect(page.getByText("We couldn't check that you're human").first()).toBeVisible();
      await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("checked-4@lineup.test");
    } else {
      await expect(page.getByRole("heading", { name: "Your Riot account" })).toBeVisible();
    }
  }
  // Each submission that reached the check had a token of its own.
  expect(turnstile.judged).toHaveLength(hasJavaScript() ? 4 : 0);
  expect(new Set(turnstile.judged).size).toBe(turnstile.judged.length);
});

test.describe("Without Turnstile", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("the check is loaded with the next response", async ({ page }) => {
    test.skip(!hasJavaScript(), "Without JavaScript, no form has the check.");
    let isBlocked = true;
    await page.route(/api\.js/, (route) => (isBlocked ? route.abort() : route.continue()));
    const blocked = page.waitForEvent("requestfailed", (request) => request.url().includes("api.js"));
    await visit(page, "/auth?tab=sign-up");
    await blocked;
    isBlocked = false;
    await page.getByRole("textbox", { name: "Email" }).fill("unchecked@lineup.test");
    await page.getByRole("textbox", { name: "Password" }).fill("password");
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
    await expect(page.getByText("Too common and easy to guess").first()).toBeVisible();
    await expect(page.locator("input[name=humanToken]")).toHaveValue(/./);
  });
});
