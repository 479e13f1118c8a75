import { emailTo, expect, test, visit } from "../support/e2e";
import { beginSignUp, expectToast, fillCredentials, fillRiotAccount, unique } from "./steps";

// This file has its own app, in which an account opens only with the emailed link.
test.use({ appOptions: { confirmEmail: true } });

const password = "four smokes and a wall";

async function signUp(page: Parameters<typeof visit>[0], email: string): Promise<void> {
  await visit(page, "/auth?tab=sign-up");
  await beginSignUp(page, email, password);
  await fillRiotAccount(page, `Mail ${unique()}`, "POST");
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByRole("button", { name: "Complete Signup" }).click();
  await expectToast(
    page,
    "success",
    "Account created successfully!",
    "Please check your email to verify your account.",
  );
}

test("When email must be confirmed, the wizard resets and the account opens with the emailed link", async ({
  page,
}) => {
  const email = `letter-${unique()}@example.com`;
  await signUp(page, email);
  await expect(page).toHaveURL("/auth?tab=sign-up");
  await expect(page.getByRole("button", { name: "Next: Verify Riot Account" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue("");
  await expect(page.getByRole("textbox", { name: "Password" })).toHaveValue("");
  await visit(page, "/dashboard");
  await expect(page).toHaveURL("/auth");

  await fillCredentials(page, email, password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectToast(
    page,
    "error",
    "Error signing in",
    "Please confirm your email address first: open the link we sent you. We've just sent it again.",
  );

  await visit(page, "/dev/mailbox");
  const letters = page.getByRole("listitem").filter({ hasText: `To ${email}` });
  await expect(letters).toHaveCount(2);
  const letter = letters.first();
  await expect(letter.getByRole("heading", { name: "Confirm your email address for Lineup" })).toBeVisible();
  await letter.getByRole("link").first().click();
  await expect(page).toHaveURL("/auth");
  await expectToast(page, "success", "Email confirmed", "Thank you. You can sign in now.");
  await fillCredentials(page, email, password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("The mailbox shows an email as its reader sees it, and its button works", async ({ page, app }) => {
  const email = `framed-${unique()}@lineup.test`;
  await signUp(page, email);
  await emailTo(app, email);
  await visit(page, "/dev/mailbox");
  const letter = page.getByRole("listitem").filter({ hasText: `To ${email}` });
  const shown = letter.frameLocator("iframe");
  await expect(shown.getByRole("heading", { name: "Confirm your email address for Lineup" })).toBeVisible();
  await shown.getByRole("link", { name: "Confirm email address" }).click();
  await expectToast(page, "success", "Email confirmed", "Thank you. You can sign in now.");
});

test("Signing up with the email address of an existing account looks the same, and only its owner is told", async ({
  page,
  app,
}) => {
  await signUp(page, "player7@example.com");
  await expect(page).toHaveURL("/auth?tab=sign-up");
  const { subject, text } = await emailTo(app, "player7@example.com");
  expect(subject).toBe("You already have a Lineup account");
  expect(text).not.toContain("token=");
  // The old password still works, the new one does not.
  await visit(page, "/auth");
  await fillCredentials(page, "player7@example.com", password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expectToast(page, "error", "Error signing in", "Wrong email or password.");
  await fillCredentials(page, "player7@example.com", "password123");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("The emailed code works, too: typed in where the player signed up, it signs them in", async ({ page, app }) => {
  const email = `typed-${unique()}@example.com`;
  await signUp(page, email);
  await page.getByRole("link", { name: "Enter the code" }).click();
  await expect(page.getByRole("heading", { name: "Confirm your email" })).toBeVisible();
  const first = (await emailTo(app, email)).code;
  await page.getByRole("button", { name: "Send Again" }).click();
  await expectToast(page, "success", "Email sent", "Enter the code from our latest email.");
  const { code } = await emailTo(app, email);
  expect(code).not.toBe(first);
  await page.getByRole("textbox", { name: "Code" }).fill(code as string);
  await page.getByRole("button", { name: "Confirm" }).click();
  await expectToast(page, "success", "Email confirmed", "Thank you. Your address is confirmed.");
  await expect(page).toHaveURL("/dashboard");
});

test("A broken or expired link says so", async ({ page }) => {
  await visit(page, "/auth/confirm?token=half-a-token");
  await expect(page).toHaveURL("/auth");
  await expectToast(
    page,
    "error",
    "This link doesn't work any more",
    "It's too old, or wasn't copied in full. Open our latest email.",
  );
});
