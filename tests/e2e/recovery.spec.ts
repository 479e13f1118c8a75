import { eq } from "drizzle-orm";
import { sessions } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { openTestDatabase } from "../support/database";
import { emailTo, expect, hasJavaScript, test, visit } from "../support/e2e";
import {
  eventsOf,
  expectToast,
  fillCredentials,
  newAccount,
  newPlayer,
  openEventsTab,
  setUpTwoFactor,
  signInQuietly,
  turnOnTwoFactor,
  unique,
} from "./steps";

const password = "four smokes and a wall";
const codeTo = async (app: App, email: string) => (await emailTo(app, email)).code as string;

test("A player resets a forgotten password with a code, which signs them in and signs out older sessions", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app);
  const old = await anotherPage();
  await signInQuietly(old, email);

  await visit(page, "/auth");
  await page.getByRole("link", { name: "Forgot password?" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send Code" }).click();
  await expectToast(page, "success", "Check your email", "If this address has an account, a code is on its way.");
  const code = await codeTo(app, email);

  const field = page.getByRole("textbox", { name: "Code" });
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expect(field).toHaveAttribute("inputmode", "numeric");
  const wrong = code === "000000" ? "111111" : "000000";
  await field.fill(wrong);
  await page.getByRole("textbox", { name: "New Password" }).fill(password);
  await page.getByRole("button", { name: "Set New Password" }).click();
  await expect(field).toHaveAccessibleDescription(/That code is wrong, used or too old\./);
  await expect(field).toBeFocused();

  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await page.getByRole("textbox", { name: "New Password" }).fill(password);
  await page.getByRole("button", { name: "Set New Password" }).click();
  await expectToast(page, "success", "Password changed", "You're signed in here and signed out everywhere else.");
  await expect(page).toHaveURL("/dashboard");

  await visit(old, "/dashboard/profile");
  await expect(old.getByRole("button", { name: "Sign In" })).toBeVisible();
  await fillCredentials(old, email, "password123");
  await old.getByRole("button", { name: "Sign In" }).click();
  await expectToast(old, "error", "Error signing in", "Wrong email or password.");
  await fillCredentials(old, email, password);
  await old.getByRole("button", { name: "Sign In" }).click();
  await expect(old.getByRole("button", { name: "Sign Out" })).toBeVisible();
});

test("The emailed link works on another device, but only once, and says so the second time", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app);
  await visit(page, "/auth/forgot-password");
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send Code" }).click();
  await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
  const { link } = await emailTo(app, email);

  const phone = await anotherPage();
  await visit(phone, link as string);
  await expect(phone.getByText(email)).toBeVisible();
  await expect(phone.getByRole("textbox", { name: "Code" })).toHaveCount(0);
  await phone.getByRole("textbox", { name: "New Password" }).fill(password);
  await phone.getByRole("button", { name: "Set New Password" }).click();
  await expect(phone).toHaveURL("/dashboard");

  await visit(page, link as string);
  await expect(page.getByText("This link doesn't work any more")).toBeVisible();
  await page.getByRole("link", { name: "Ask for a New Code" }).click();
  await expect(page.getByRole("heading", { name: "Forgot your password?" })).toBeVisible();
});

test("A player who has lost password and phone gets in by email and recovery code, ending sessions and links", async ({
  page,
  app,
  anotherPage,
}) => {
  // The test hashes three passwords.
  test.slow();
  const email = await newPlayer(app);
  const lost = await anotherPage();
  await signInQuietly(lost, email);
  await visit(lost, "/dashboard/settings/two-factor");
  const [recoveryCode = ""] = await turnOnTwoFactor(lost, await setUpTwoFactor(lost));

  const tab = hasJavaScript() ? await openEventsTab(page) : null;
  /** Asks for a code. @returns the email's code and link */
  const askForCode = async () => {
    await visit(page, "/auth/forgot-password");
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send Code" }).click();
    await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
    return (await emailTo(app, email)) as { code: string; link: string };
  };
  const older = await askForCode();
  const newer = await askForCode();
  expect(newer.link).not.toBe(older.link);
  await page.getByRole("textbox", { name: "Code" }).fill(newer.code);
  await page.getByRole("textbox", { name: "New Password" }).fill(password);
  await page.getByRole("button", { name: "Set New Password" }).click();
  // Access to the mailbox alone doesn't sign anyone in.
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await page.getByRole("textbox", { name: "Recovery Code" }).fill(recoveryCode);
  await page.getByRole("button", { name: "Verify" }).click();
  const name = email.split("@")[0] as string;
  await expect(page.getByRole("heading", { name: `Welcome back, ${name}` })).toBeVisible();
  if (tab) {
    await expect(eventsOf(tab)).toHaveText([
      "INITIAL_SESSION nobody",
      "PASSWORD_RECOVERY nobody",
      `SIGNED_IN ${name}`,
      `MFA_CHALLENGE_VERIFIED ${name}`,
    ]);
  }

  await visit(lost, "/dashboard/profile");
  await expect(lost.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await fillCredentials(lost, email, PASSWORD);
  await lost.getByRole("button", { name: "Sign In" }).click();
  await expectToast(lost, "error", "Error signing in", "Wrong email or password.");
  for (const { link } of [older, newer]) {
    await visit(lost, link);
    await expect(lost.getByText("This link doesn't work any more")).toBeVisible();
  }
  // The recovery code doesn't work a second time either, even with the new password.
  await visit(lost, "/auth");
  await fillCredentials(lost, email, password);
  await lost.getByRole("button", { name: "Sign In" }).click();
  await lost.getByRole("link", { name: "Use a recovery code" }).click();
  const used = lost.getByRole("textbox", { name: "Recovery Code" });
  await used.fill(recoveryCode);
  await lost.getByRole("button", { name: "Verify" }).click();
  await expect(used).toHaveAccessibleDescription(/That's not one of your unused recovery codes/);
  await visit(page, "/dashboard/profile");
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
});

test("A player signs in with an emailed code, and with the button on an emailed link's page", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app);
  await visit(page, "/auth?redirectTo=%2Fdashboard%2Fprofile");
  await page.getByRole("link", { name: "Email me a code" }).click();
  await expect(page.getByRole("heading", { name: "Sign in by email" })).toBeVisible();
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("button", { name: "Send Code" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(await codeTo(app, email));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectToast(page, "success", "Welcome back!", "You've been signed in successfully.");
  await expect(page).toHaveURL("/dashboard/profile");

  const visitor = await anotherPage();
  await visit(visitor, "/auth/code");
  await visitor.getByRole("textbox", { name: "Email" }).fill(email);
  await visitor.getByRole("button", { name: "Send Code" }).click();
  await expect(visitor.getByRole("textbox", { name: "Code" })).toBeVisible();
  await visit(visitor, "/dev/mailbox");
  const received = visitor.getByRole("listitem").filter({ hasText: `To ${email}` });
  await received.first().getByRole("link").first().click();
  await expect(visitor.getByText(`This signs you in as ${email}.`)).toBeVisible();
  await visitor.getByRole("button", { name: "Sign In" }).click();
  await expect(visitor).toHaveURL("/dashboard");
});

test("An address without an account goes through the same screens", async ({ page }) => {
  for (const start of ["/auth/forgot-password", "/auth/code"]) {
    const email = `nobody-${unique()}@example.com`;
    await visit(page, start);
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send Code" }).click();
    await expect(page.getByText(`If ${email} has an account, we've emailed it.`)).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
  }
});

test("A player changes the email address in the settings, and the old address is told", async ({ page, app }) => {
  const email = await newPlayer(app);
  const next = `next-${unique()}@example.com`;
  await signInQuietly(page, email);
  await visit(page, "/dashboard/settings");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Email" }).click();
  await expect(page.getByRole("heading", { name: "Email" })).toBeVisible();
  const field = page.getByRole("textbox", { name: "New Email" });
  await field.fill(email);
  await page.getByRole("button", { name: "Change Email" }).click();
  await expect(field).toHaveAccessibleDescription("That's already your address.");
  await field.fill(next);
  await page.getByRole("button", { name: "Change Email" }).click();
  await expect(page.getByText(`We've emailed ${next}.`)).toBeVisible();
  await page.getByRole("textbox", { name: "Code" }).fill(await codeTo(app, next));
  await page.getByRole("button", { name: "Change Email" }).click();
  await expectToast(page, "success", "Email changed", "You sign in with the new address from now on.");
  await expect(page.getByText(`You sign in with ${next}`)).toBeVisible();
  expect((await emailTo(app, email)).subject).toBe("The email address of your Lineup account has changed");
});

test("A player who signed in long ago confirms who they are before changing the password", async ({ page, app }) => {
  const { id, email } = await newAccount(app);
  await signInQuietly(page, email);
  await visit(page, "/dashboard/settings/password");
  const field = page.getByRole("textbox", { name: "New Password" });
  await field.fill("password1");
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(field).toHaveAccessibleDescription(/Too common and easy to guess/);
  await field.fill(password);

  const setAge = (age: number) =>
    openTestDatabase(app)
      .update(sessions)
      .set({ authenticatedAt: new Date(Date.now() - age) })
      .where(eq(sessions.userId, id));
  await setAge(60 * 60_000);
  await page.getByRole("button", { name: "Change Password" }).click();
  await expect(page.getByRole("alert").first()).toContainText("It's been a while since you signed in.");
  await expect(page.getByRole("link", { name: "Confirm it's you" })).toHaveAttribute(
    "href",
    "/auth/reauthenticate?redirectTo=%2Fdashboard%2Fsettings%2Fpassword",
  );
  await setAge(0);
  // With JavaScript the typed password is still there.
  if (!hasJavaScript()) await field.fill(password);
  await page.getByRole("button", { name: "Change Password" }).click();
  await expectToast(page, "success", "Password changed", "Your other devices have been signed out.");
  expect((await emailTo(app, email)).subject).toBe("Your Lineup password was changed");
});
