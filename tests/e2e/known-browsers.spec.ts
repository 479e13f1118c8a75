import { eq } from "drizzle-orm";
import { hashToken } from "../../app/platform/crypto/crypto.server";
import { rateLimits } from "../../db/schema";
import { PASSWORD } from "../../scripts/worlds";
import { Client } from "../support/client";
import { openTestDatabase } from "../support/database";
import { expect, test, visit } from "../support/e2e";
import { expectToast, fillCredentials, newPlayer } from "./steps";

// This file has its own app, with the real rate limits.
test.use({ appOptions: { limitFactor: 1 } });

test("A player signs in again right away in their own browser, while strangers guess the password", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app);
  const signIn = async (browser: typeof page) => {
    await fillCredentials(browser, email, PASSWORD);
    await browser.getByRole("button", { name: "Sign In" }).click();
  };
  await visit(page, "/auth");
  await signIn(page);
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expectToast(page, "success", "Signed out");

  for (let number = 1; number <= 7; number += 1) {
    const from = { "CF-Connecting-IP": `203.0.113.${number}` };
    await new Client(app.url).post("/auth", { email, password: "not the password" }, from);
  }
  // The strangers go on until the wait is at its longest.
  const series = eq(rateLimits.key, `try:signIn:${hashToken(email)}`);
  const windowEndsAt = new Date(Date.now() + 30 * 60_000);
  const { rowsAffected } = await openTestDatabase(app).update(rateLimits).set({ windowEndsAt }).where(series);
  expect(rowsAffected).toBe(1);
  const stranger = await anotherPage();
  await visit(stranger, "/auth");
  await signIn(stranger);
  await expect(stranger.getByText("That was a lot in a short time.").first()).toBeVisible();

  await visit(page, "/auth");
  await signIn(page);
  await expectToast(page, "success", "Welcome back!");
});
