import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { emailTo, expect, hasJavaScript, test, visit } from "../support/e2e";
import { authenticatorCode } from "../support/totp";
import {
  expectNoOverflow,
  expectToast,
  fillCredentials,
  newPlayer,
  setUpTwoFactor,
  signInQuietly,
  turnOnTwoFactor,
} from "./steps";

const PASSWORD = "password123";
const PAGE = "/dashboard/settings/two-factor";

const settings = (page: Page) => page.getByRole("region", { name: "Two-Factor" });

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
}

/** Submits email and password, without waiting for the result. */
async function submitPassword(page: Page, email: string): Promise<void> {
  await visit(page, "/auth?redirectTo=%2Fdashboard%2Fprofile");
  await fillCredentials(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

async function submitCode(page: Page, code: string): Promise<void> {
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(code);
  await page.getByRole("button", { name: "Verify" }).click();
}

const expectSignedIn = (page: Page) => expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();

test("A player turns two-factor on, signs in with it in every way, and turns it off", async ({ page, app }) => {
  // The test signs in five times and opens some twenty pages.
  test.slow();
  const email = await newPlayer(app);
  await signInQuietly(page, email);

  // Turn two-factor on: the authenticator gets the secret, and a code proves it.
  await visit(page, "/dashboard/settings");
  await page.getByRole("link", { name: "Two-Factor" }).first().click();
  const secret = await setUpTwoFactor(page);
  await expectNoOverflow(page);
  const code = page.getByRole("textbox", { name: "Code" });
  await code.fill(authenticatorCode(secret, 7));
  await page.getByRole("button", { name: "Turn On" }).click();
  await expect(code).toHaveAccessibleDescription(/That's not the code your app shows now/);
  await expect(code).toBeFocused();
  const first = authenticatorCode(secret);
  const codes = await turnOnTwoFactor(page, secret);

  // The recovery codes are shown only once, as a list and as a file.
  const list = page.getByRole("list", { name: "Recovery codes" });
  await expectToast(page, "success", "Two-factor is on");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(file.suggestedFilename()).toBe("lineup-recovery-codes.txt");
  const text = await readFile(await file.path(), "utf8");
  for (const one of codes) expect(text).toContain(one);
  await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(hasJavaScript() ? 1 : 0);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(settings(page)).toContainText("You have 10 left.");
  await expect(list).toHaveCount(0);
  expect((await emailTo(app, email)).subject).toBe("Two-factor is on for your Lineup account");

  // Sign in with the authenticator, and have the device remembered.
  await signOut(page);
  await submitPassword(page, email);
  await submitCode(page, first);
  const used = page.getByRole("textbox", { name: "Code", exact: true });
  await expect(used).toHaveAccessibleDescription(/That code is wrong or has been used/);
  await page.getByRole("checkbox", { name: "Remember this device for 30 days" }).check();
  await submitCode(page, authenticatorCode(secret, 1));
  await expectSignedIn(page);
  await expectToast(page, "success", "Welcome back!", "You've been signed in successfully.");

  // On the remembered device the password is enough to sign in, but not to change the sign-in settings.
  await signOut(page);
  await submitPassword(page, email);
  await expectSignedIn(page);
  await visit(page, PAGE);
  await expect(page.getByRole("heading", { name: "Confirm it's you" })).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  const recovery = page.getByRole("textbox", { name: "Recovery Code" });
  await expect(recovery).toBeVisible();
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await recovery.fill(codes[0] as string);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expect(settings(page)).toContainText("You have 9 left.");
  await expect(settings(page)).toContainText("This device");
  await settings(page).getByRole("button", { name: "Forget" }).click();
  await expectToast(page, "success", "Device forgotten");
  await expect(settings(page)).toContainText("None. Every sign-in asks for a code.");

  // Without the phone, sign in with a recovery code, which works once.
  await signOut(page);
  await submitPassword(page, email);
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await recovery.fill(codes[0] as string);
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(recovery).toHaveAccessibleDescription(/That's not one of your unused recovery codes/);
  await recovery.fill((codes[1] as string).toLowerCase().replace("-", " "));
  await page.getByRole("button", { name: "Verify" }).click();
  await expectSignedIn(page);
  expect((await emailTo(app, email)).text).toContain("You have 8 recovery codes left.");

  // Make new codes, and turn two-factor off again.
  await visit(page, PAGE);
  await settings(page).getByRole("button", { name: "New Recovery Codes" }).click();
  await expect(list.getByRole("listitem")).toHaveCount(10);
  await expect(list).not.toContainText(codes[2] as string);
  await page.getByRole("link", { name: "Done" }).click();
  await settings(page).getByText("Turn off two-factor").click();
  await settings(page).getByRole("button", { name: "Turn Off" }).click();
  await expectToast(page, "success", "Two-factor is off");
  await expect(settings(page).getByRole("button", { name: "Set Up Two-Factor" })).toBeVisible();
  await signOut(page);
  await submitPassword(page, email);
  await expectSignedIn(page);
});

test("Recovery codes stay on the page until `Done`, even if another tab makes it reload", async ({ page, app }) => {
  test.skip(!hasJavaScript(), "Without JavaScript a page reloads only when the player asks for it.");
  await signInQuietly(page, await newPlayer(app));
  await page.context().clearCookies({ name: "lineup_event" });
  await visit(page, PAGE);
  const codes = await turnOnTwoFactor(page, await setUpTwoFactor(page));
  const list = page.getByRole("list", { name: "Recovery codes" });

  const reload = page.waitForResponse((response) => response.url().includes("two-factor.data"));
  // The response to an account form leaves this cookie.
  await page.context().addCookies([{ name: "lineup_event", value: "USER_UPDATED", url: app.url }]);
  await visit(await page.context().newPage(), "/dashboard/profile");
  await (await reload).finished();
  await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page).toHaveURL(`${PAGE}#content`);
  await expect(list.getByRole("listitem")).toHaveText(codes);
  await page.getByRole("link", { name: "Done" }).click();
  await expect(settings(page)).toContainText("You have 10 left.");
  await expect(list).toHaveCount(0);
});

test("Five wrong codes lead back to the password, and so does a second step without the first", async ({
  page,
  app,
}) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await visit(page, PAGE);
  const secret = await setUpTwoFactor(page);
  await turnOnTwoFactor(page, secret);
  await page.getByRole("link", { name: "Done" }).click();
  await signOut(page);
  await submitPassword(page, email);
  for (let wrong = 1; wrong <= 5; wrong += 1) {
    const answered = page.waitForResponse((response) => response.request().method() === "POST");
    await submitCode(page, authenticatorCode(secret, 20 + wrong));
    // The previous code's error looks the same, so wait for the response itself.
    await answered;
  }
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await expect(page).toHaveURL("/auth?redirectTo=%2Fdashboard%2Fprofile");
  await expectToast(page, "error", "Error signing in", "You entered too many wrong codes. Sign in again.");
  await visit(page, "/auth/two-factor");
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await expectToast(page, "error", "Error signing in", "This sign-in has timed out. Sign in again.");
});
