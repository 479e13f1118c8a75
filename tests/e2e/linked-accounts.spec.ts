import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { NO_PASSWORD, users } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, signInAs, test, visit, waitForHydration } from "../support/e2e";
import { newDiscordUser, newRiotUser } from "../support/oauth";
import { expectAccessibleEverywhere } from "./axe";
import { expectToast, fillRiotAccount, newPlayer, signInQuietly, unique, verifiedBox } from "./steps";

const LINKED = "/dashboard/settings/linked-accounts";

/** Chooses an account at the provider and allows it, or cancels. */
async function decide(page: Page, account: string, button: "Authorize" | "Cancel" = "Authorize"): Promise<void> {
  await expect(page.getByRole("heading", { name: /stand-in$/ })).toBeVisible();
  await page.getByRole("radio", { name: account, exact: true }).check();
  await page.getByRole("button", { name: button }).click();
  await waitForHydration(page);
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test("A visitor signs up with Discord, without a password, and signs in with Discord from then on", async ({
  page,
  app,
  anotherPage,
}) => {
  const user = newDiscordUser(app);
  await visit(page, "/auth?redirectTo=%2Fdashboard%2Fprofile");
  await press(page, "Continue with Discord");
  await decide(page, user.username);
  await expect(page.getByRole("heading", { name: "Your Riot account" })).toBeVisible();
  await expectToast(page, "success", `Hello, ${user.username}`);
  await expect(page.getByRole("button", { name: /^Continue with/ })).toHaveCount(0);
  await fillRiotAccount(page, `Via ${unique()}`, "DISC");
  await press(page, "Verify");
  await expect(verifiedBox(page)).toBeVisible();
  await press(page, "Complete Signup");
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  await expect(page).toHaveURL("/dashboard/profile");

  const elsewhere = await anotherPage();
  await visit(elsewhere, `${app.url}/auth`);
  await press(elsewhere, "Continue with Discord");
  await decide(elsewhere, user.username);
  await expect(elsewhere.getByRole("heading", { name: /^Welcome back/ })).toBeVisible();
  await expectToast(elsewhere, "success", "Welcome back!", "You've been signed in successfully.");

  // The only way to sign in can't be unlinked.
  await visit(elsewhere, `${app.url}${LINKED}`);
  await expect(elsewhere.getByText("It's your only way to sign in.")).toBeVisible();
  await expect(elsewhere.getByRole("button", { name: "Unlink Discord" })).toHaveCount(0);
  await expectAccessibleEverywhere(elsewhere);
});

test("A player links Discord, signs in with it, and unlinks it again", async ({ page, app, anotherPage }) => {
  const user = newDiscordUser(app);
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await visit(page, "/dashboard/settings");
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Linked Accounts" }).click();
  await expect(page.getByRole("heading", { name: "Linked Accounts" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await press(page, "Link Discord");
  await decide(page, user.username);
  await expectToast(page, "success", "Discord linked", `You can sign in with ${user.username} from now on.`);
  await expect(page.getByText(`Linked as ${user.username}`)).toBeVisible();
  await expectAccessibleEverywhere(page);

  const elsewhere = await anotherPage();
  await visit(elsewhere, `${app.url}/auth?tab=sign-up`);
  await press(elsewhere, "Continue with Discord");
  await decide(elsewhere, user.username);
  await expect(elsewhere.getByRole("heading", { name: /^Welcome back/ })).toBeVisible();

  await press(page, "Unlink Discord");
  await expectToast(page, "success", "Discord unlinked");
  await expect(page.getByRole("button", { name: "Link Discord" })).toBeVisible();
  await elsewhere.context().clearCookies();
  await visit(elsewhere, `${app.url}/auth`);
  await press(elsewhere, "Continue with Discord");
  await decide(elsewhere, user.username);
  // The Discord account belongs to no player any more, so it starts a sign-up.
  await expect(elsewhere.getByRole("heading", { name: "Your Riot account" })).toBeVisible();
});

test("A player who cancels at Discord comes back to the page they left, and is told that nothing was changed", async ({
  page,
  app,
}) => {
  const user = newDiscordUser(app);
  await visit(page, "/auth");
  await press(page, "Continue with Discord");
  await decide(page, user.username, "Cancel");
  await expectToast(page, "error", "Error signing in", "You said no at Discord, so nothing was changed.");
  await expectAccessibleEverywhere(page);
  await signInAs(page, await newPlayer(app));
  await visit(page, LINKED);
  await press(page, "Link Discord");
  await decide(page, user.username, "Cancel");
  await expectToast(page, "error", "Error linking account", "You said no at Discord, so nothing was changed.");
});

test("A player can't unlink their only way to sign in, even from an outdated page", async ({ page, app }) => {
  const user = newDiscordUser(app);
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await visit(page, LINKED);
  await press(page, "Link Discord");
  await decide(page, user.username);
  await expect(page.getByRole("button", { name: "Unlink Discord" })).toBeVisible();
  await openTestDatabase(app).update(users).set({ passwordHash: NO_PASSWORD }).where(eq(users.email, email));
  await press(page, "Unlink Discord");
  await expectToast(
    page,
    "error",
    "Error unlinking account",
    "Discord is your only way to sign in. Set a password first.",
  );
});

test("Riot Sign-On changes the mark to Verified by Riot, and overrides another player's unproven claim", async ({
  page,
  app,
  anotherPage,
}) => {
  const riot = newRiotUser(app);
  const now = new Date();
  const claimant = await anotherPage();
  const claim = { riotPuuid: riot.puuid, riotId: riot.riotId, riotGameName: riot.gameName, riotVerifiedAt: now };
  await signInQuietly(claimant, await newPlayer(app, claim));
  await visit(claimant, `${app.url}/dashboard/profile`);
  const mark = (at: Page) => at.getByRole("main").getByTitle(/^Riot/);
  await expect(mark(claimant)).toHaveText("Verified");

  await signInQuietly(page, await newPlayer(app));
  await visit(page, LINKED);
  await press(page, "Link Riot");
  await decide(page, riot.riotId);
  await expectToast(page, "success", "Riot linked", `Riot has confirmed that ${riot.riotId} is yours.`);
  await visit(page, "/dashboard/profile");
  await expect(mark(page)).toHaveText("Verified by Riot");
  await expect(mark(page)).toHaveAttribute("title", /Riot has confirmed/);

  await visit(claimant, `${app.url}/dashboard/notifications`);
  await claimant.getByRole("link", { name: `${riot.riotId} is no longer verified in your profile` }).click();
  // The lookup form is there again.
  await expect(claimant.getByRole("button", { name: "Verify", exact: true })).toBeVisible();
  await expect(mark(claimant)).toHaveCount(0);
});
