import { expect, hasJavaScript, signInAs, test, visit, waitForHydration } from "../support/e2e";
import {
  beginSignUp,
  expectToast,
  fillCredentials,
  fillRiotAccount,
  newPlayer,
  signInQuietly,
  unique,
  verifiedBox,
} from "./steps";

const password = "four smokes and a wall";

test.describe("Signing in", () => {
  test("A wrong password is reported in a toast and at the form, and the email stays", async ({ page }) => {
    await visit(page, "/auth");
    await fillCredentials(page, "player2@example.com", "not the password");
    await page.getByRole("button", { name: "Sign In" }).click();
    const sentence = "Wrong email or password.";
    await expectToast(page, "error", "Error signing in", sentence);
    const passwordField = page.getByRole("textbox", { name: "Password" });
    await expect(passwordField).toHaveAccessibleDescription(sentence);
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("player2@example.com");
    await expect(page).toHaveURL("/auth");
    expect(await page.content()).not.toContain("not the password");
    await expect(passwordField).toBeFocused();

    // The right password works from here.
    await fillCredentials(page, "player2@example.com", "password123");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page).toHaveURL("/dashboard");
    await expectToast(page, "success", "Welcome back!", "You've been signed in successfully.");
    await expect(page.getByText("Error signing in")).toHaveCount(0);
  });

  test("A page for signed-in players sends visitors to sign in and back afterwards, and to no other site", async ({
    page,
  }) => {
    await visit(page, "/dashboard/lfg/new");
    await expect(page).toHaveURL("/auth?redirectTo=%2Fdashboard%2Flfg%2Fnew");
    // The return address survives switching tabs.
    const tabs = page.getByRole("navigation", { name: "Account" });
    await tabs.getByRole("link", { name: "Sign Up" }).click();
    await expect(page.getByRole("button", { name: "Next: Verify Riot Account" })).toBeVisible();
    await tabs.getByRole("link", { name: "Sign In" }).click();
    await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
    await fillCredentials(page, "player3@example.com", "password123");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page).toHaveURL("/dashboard/lfg/new");
    await expect(page.getByRole("dialog", { name: "Create LFG Post" })).toBeVisible();

    await page.context().clearCookies();
    await visit(page, `/auth?redirectTo=${encodeURIComponent("//example.com/phish")}`);
    await fillCredentials(page, "player3@example.com", "password123");
    await page.getByRole("button", { name: "Sign In" }).click();
    await expect(page).toHaveURL("/dashboard");
  });

  test("A signed-in player is redirected from the landing page and the sign-in to the dashboard", async ({ page }) => {
    await signInQuietly(page, "player4@example.com");
    for (const address of ["/", "/auth", "/auth?tab=sign-up"]) {
      await visit(page, address);
      await expect(page).toHaveURL("/dashboard");
    }
    await visit(page, "/auth?redirectTo=%2Fdashboard%2Fprofile");
    await expect(page).toHaveURL("/dashboard/profile");
  });

  test("A player who signs out is told so, and the dashboard is closed again", async ({ page }) => {
    await signInQuietly(page, "player4@example.com");
    await visit(page, "/dashboard/profile");
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL("/auth");
    await expectToast(page, "success", "Signed out");
    await visit(page, "/dashboard");
    await expect(page).toHaveURL("/auth");
  });

  test("Signing out in one tab signs out the other tabs", async ({ page, context }) => {
    test.skip(!hasJavaScript(), "Without JavaScript a tab finds out with its next request.");
    await signInQuietly(page, "player5@example.com");
    await visit(page, "/dashboard");
    const tab = await context.newPage();
    await visit(tab, "/dashboard/tournaments");
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL("/auth");
    await expect(tab).toHaveURL(/^[^?]*\/auth(\?|$)/);
    await expect(tab.getByRole("button", { name: "Sign In" })).toBeVisible();

    // Signing in here signs the other tab in, too.
    await fillCredentials(tab, "player5@example.com", "password123");
    await tab.getByRole("button", { name: "Sign In" }).click();
    await expect(tab).toHaveURL(/\/dashboard/);
    await expect(page).toHaveURL(/\/dashboard/);
  });
});

test.describe("Signing up", () => {
  test("Back returns to the first step with the email kept and the password gone", async ({ page }) => {
    const email = `back-${unique()}@example.com`;
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, email, password);
    expect(await page.content()).not.toContain(password);

    // Back works even with empty fields, although Verify requires them.
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up");
    await beginSignUp(page, email, password);
    await fillRiotAccount(page, "Comes Back", "HERE", "asia");
    await page.getByRole("button", { name: "Back" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up");
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
    await expect(page.getByRole("textbox", { name: "Password" })).toHaveValue("");
    expect(await page.content()).not.toContain(password);

    // The second step keeps the values that were entered there.
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
    await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveValue("Comes Back");
    await expect(page.getByRole("textbox", { name: "Tag" })).toHaveValue("HERE");
    await expect(page.getByRole("combobox", { name: "Region" })).toHaveValue("asia");
  });

  test("Enter in the second step verifies and does not go back", async ({ page }) => {
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, `enter-${unique()}@example.com`, password);
    await fillRiotAccount(page, "Enter Player", "KEY");
    await page.getByRole("textbox", { name: "Tag" }).press("Enter");
    await expect(verifiedBox(page)).toContainText("Enter Player#KEY");
  });

  test("Verify waits for both fields, and without JavaScript the browser asks for the game name", async ({ page }) => {
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, `wait-${unique()}@example.com`, password);
    const verify = page.getByRole("button", { name: "Verify" });
    const gameName = page.getByRole("textbox", { name: "Game Name" });
    if (hasJavaScript()) {
      await expect(verify).toBeDisabled();
      await gameName.fill("Patient One");
      await expect(verify).toBeDisabled();
      await page.getByRole("textbox", { name: "Tag" }).fill("   ");
      await expect(verify).toBeDisabled();
      await page.getByRole("textbox", { name: "Tag" }).fill("WAIT");
      await expect(verify).toBeEnabled();
      await gameName.fill("");
      await expect(verify).toBeDisabled();
    } else {
      await expect(verify).toBeEnabled();
      await verify.click();
      await expect(gameName).toBeFocused();
      await expect(page.getByRole("alert")).toHaveCount(0);
    }
  });

  test("A name that is changed after its verification needs to be verified again", async ({ page }) => {
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, `changed-${unique()}@example.com`, password);
    await fillRiotAccount(page, "First Name", "ONE");
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(verifiedBox(page)).toContainText("First Name#ONE");
    await fillRiotAccount(page, "Second Name", "ONE");
    if (hasJavaScript()) {
      await expect(verifiedBox(page)).toHaveCount(0);
      await page.getByRole("button", { name: "Verify" }).click();
    } else {
      await page.getByRole("button", { name: "Complete Signup" }).click();
    }
    await expect(page).toHaveURL("/auth?tab=sign-up&step=2");
    await expect(verifiedBox(page)).toContainText("Second Name#ONE");
    await page.getByRole("button", { name: "Complete Signup" }).click();
    await expect(page).toHaveURL("/dashboard");
  });

  test("Text typed just before React hydrates the page stays and causes no error", async ({ page }) => {
    test.skip(!hasJavaScript(), "Without JavaScript there is no hydration.");
    // React's scheduler posts its work through a MessagePort. Delay it by a second, as a busy machine would.
    await page.addInitScript(() => {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (...message: unknown[]) {
        setTimeout(() => Reflect.apply(post, this, message), 1_000);
      };
    });
    await page.goto("/auth?tab=sign-up");
    // The first key press makes React hydrate immediately. An error during hydration would fail the test.
    const email = page.getByRole("textbox", { name: "Email" });
    await email.pressSequentially("early-bird@example.com");
    await waitForHydration(page);
    await expect(email).toHaveValue("early-bird@example.com");
  });

  test("After a while the page says that Riot is slow to answer, and the fields keep their values", async ({
    page,
  }) => {
    test.skip(!hasJavaScript(), "Without JavaScript only the browser's own loading indicator shows.");
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, `slow-${unique()}@example.com`, password);
    await fillRiotAccount(page, "Slow Player", "WAIT");
    await page.getByRole("button", { name: "Verify" }).click();
    // The button's name changes 150 ms after the click.
    await expect(page.getByRole("button", { name: "Asking Riot" })).toHaveAttribute("aria-busy", "true");
    const status = page.getByRole("status").filter({ hasText: "Riot is slow to answer." });
    await expect(status).toBeVisible();
    await expect(page.getByText("Verification failed")).toBeVisible({ timeout: 20_000 });
    await expect(status).toHaveCount(0);
    await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveValue("Slow Player");
  });

  test("A Riot ID that another player has verified is refused, and the box and the profile say what to do", async ({
    page,
  }) => {
    await visit(page, "/auth?tab=sign-up");
    await beginSignUp(page, `held-${unique()}@example.com`, password);
    await fillRiotAccount(page, "Sørina Wójcik", "CALM", "europe");
    await page.getByRole("button", { name: "Verify" }).click();
    await expect(verifiedBox(page)).toContainText("another player here holds this Riot account.");
    await expect(verifiedBox(page)).toContainText("link it with Riot Sign-On under Settings, Linked Accounts");
    await expect(page.getByText("Riot account verified!")).toHaveCount(0);
    await page.getByRole("button", { name: "Complete Signup" }).click();
    await expect(page).toHaveURL("/dashboard");
    await expectToast(page, "success", "Account created successfully!");
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Profile" }).click();
    const section = page.getByRole("region", { name: "Account Verification" });
    await expect(section).toContainText("Another player has Sørina Wójcik#CALM");
    // Another attempt gets the same advice, at the field.
    await section.getByRole("button", { name: "Verify" }).click();
    await expect(section.getByRole("textbox", { name: "Game Name" })).toHaveAccessibleDescription(
      /^Another player here has this Riot account, so you can't verify it\./,
    );
    await expect(section.getByRole("link", { name: "Linked Accounts" })).toBeVisible();
  });

  test("After a completed sign-up the wizard starts over, and redirectTo is kept through all its steps", async ({
    page,
  }) => {
    await visit(page, "/auth?redirectTo=%2Fdashboard%2Fprofile");
    await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Sign Up" }).click();
    await beginSignUp(page, `anew-${unique()}@example.com`, password);
    const gameName = `Anew ${unique()}`;
    await fillRiotAccount(page, gameName, "NEW");
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByRole("button", { name: "Complete Signup" }).click();
    await expect(page).toHaveURL("/dashboard/profile");
    // The address changes shortly before the page does.
    await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: `${gameName}#NEW` })).toBeVisible();
    await page.getByRole("button", { name: "Sign Out" }).click();
    await expect(page).toHaveURL("/auth");
    await visit(page, "/auth?tab=sign-up&step=2");
    await expect(page).toHaveURL("/auth?tab=sign-up");
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("");
  });

  test("The address of an existing account is refused at its field, with a link to sign in", async ({ page, app }) => {
    const email = await newPlayer(app);
    await visit(page, "/auth?tab=sign-up");
    await fillCredentials(page, email, password);
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
    const sentence = "This email address already has an account. Sign in instead.";
    await expectToast(page, "error", "Error creating account", sentence);
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveAccessibleDescription(sentence);
    await expect(page.getByRole("textbox", { name: "Email" })).toBeFocused();
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
    expect(await page.content()).not.toContain(password);
  });

  test("An invalid email address and a password that is too short are refused at their fields", async ({ page }) => {
    await visit(page, "/auth?tab=sign-up");
    const email = page.getByRole("textbox", { name: "Email" });
    const field = page.getByRole("textbox", { name: "Password" });
    const next = page.getByRole("button", { name: "Next: Verify Riot Account" });
    await fillCredentials(page, "not an address", password);
    await next.click();
    await expect(email).toBeFocused();
    if (hasJavaScript()) {
      await expect(email).toHaveAccessibleDescription("Enter a full email address, like name@example.com.");
      await expect(email).toHaveValue("not an address");
    }
    await email.fill("short@example.com");
    // Type key by key: a browser doesn't check the length of a value that a script has set.
    await field.fill("");
    await field.pressSequentially("12345");
    await next.click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(
      hasJavaScript() ? "Use at least 6 characters. At least 6 characters." : "At least 6 characters.",
    );
    await expect(page).toHaveURL("/auth?tab=sign-up");
  });

  test("A password can be shown while it is typed", async ({ page }) => {
    test.skip(!hasJavaScript(), "Without JavaScript there is no such button.");
    await visit(page, "/auth?tab=sign-up");
    const field = page.getByLabel("Password", { exact: true });
    await field.fill(password);
    await expect(field).toHaveAttribute("type", "password");
    await page.getByRole("button", { name: "Show" }).click();
    await expect(field).toHaveAttribute("type", "text");
    await expect(page.getByRole("button", { name: "Show" })).toHaveAttribute("aria-pressed", "true");
  });
});

test("A session that was ended elsewhere leads to the sign-in page, not to an error", async ({
  page,
  anotherPage,
  app,
}) => {
  const email = await newPlayer(app);
  await signInAs(page, email);
  await visit(page, "/dashboard");
  const cookies = await page.context().cookies();
  const thief = await anotherPage();
  await thief.context().addCookies(cookies);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/auth");
  await thief.goto("/dashboard/profile");
  await expect(thief).toHaveURL("/auth?redirectTo=%2Fdashboard%2Fprofile");
  await waitForHydration(thief);
});
