import { eq } from "drizzle-orm";
import { SETTINGS } from "../../app/features/settings/subjects";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, messages, tournamentMatches, users } from "../../db/schema";
import { addPlayedTournament } from "../support/brackets";
import { openTestDatabase } from "../support/database";
import { emailTo, expect, hasJavaScript, test, visit } from "../support/e2e";
import { authenticatorCode } from "../support/totp";
import { type AddedTeam, addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import {
  beginSignUp,
  createPost,
  fillCredentials,
  fillRiotAccount,
  newAccount,
  newPlayer,
  setUpTwoFactor,
  signInModerator,
  signInQuietly,
  turnOnTwoFactor,
  unique,
  verifiedBox,
  verifiedProfile,
} from "./steps";

const password = "four smokes and a wall";

test("axe finds no violations on the public pages", async ({ page }) => {
  test.slow();
  for (const address of ["/", "/dev/mailbox", "/rules", "/terms", "/privacy", "/contact", "/imprint"]) {
    await visit(page, address);
    await expectAccessibleEverywhere(page);
  }
  await page.goto("/no/such/page");
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the sign-in page, with and without an error", async ({ page }) => {
  await visit(page, "/auth");
  await expectAccessibleEverywhere(page);
  await fillCredentials(page, "player2@example.com", "not the password");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("textbox", { name: "Password" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the steps of the sign-up, with and without errors", async ({ page }) => {
  const email = `axe-${unique()}@example.com`;
  await visit(page, "/auth?tab=sign-up");
  await expectAccessibleEverywhere(page);
  await fillCredentials(page, email, "password1");
  await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
  await expect(page.getByRole("textbox", { name: "Password" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleEverywhere(page);
  await beginSignUp(page, email, password);
  await expectAccessibleEverywhere(page);
  await fillRiotAccount(page, "Missing Link", "404");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleEverywhere(page);
  await fillRiotAccount(page, "Axe Player", "AXE");
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(verifiedBox(page)).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the passwordless ways to sign in, with and without errors", async ({ page, app }) => {
  const email = await newPlayer(app);
  for (const start of ["/auth/forgot-password", "/auth/code"]) {
    await visit(page, start);
    await expectAccessibleEverywhere(page);
    await page.getByRole("textbox", { name: "Email" }).fill(email);
    await page.getByRole("button", { name: "Send Code" }).click();
    await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
    await expectAccessibleEverywhere(page);
    await page.getByRole("textbox", { name: "Code" }).fill("000000");
    if (start === "/auth/forgot-password") await page.getByRole("textbox", { name: "New Password" }).fill(password);
    await page.locator("form button[data-variant=primary]").click();
    await expect(page.getByRole("textbox", { name: "Code" })).toHaveAttribute("aria-invalid", "true");
    await expectAccessibleEverywhere(page);
    const { link } = await emailTo(app, email);
    for (const address of [link as string, `${(link as string).split("?")[0]}?token=x`]) {
      await visit(page, address);
      await expectAccessibleEverywhere(page);
    }
  }
  await signInQuietly(page, email);
  await visit(page, "/dashboard/settings/email");
  await page.getByRole("textbox", { name: "New Email" }).fill(`axe-${unique()}@example.com`);
  await page.getByRole("button", { name: "Change Email" }).click();
  await expect(page.getByRole("textbox", { name: "Code" })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the LFG page: with posts, with filters, and when no post fits", async ({
  page,
  app,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await createPost(page, app, { title: `One of mine ${unique()}`, requiredRole: "Duelist" });
  await visit(page, "/dashboard");
  await expectAccessibleEverywhere(page);
  await visit(page, "/dashboard?rank=Iron+1&q=nothing+like+this");
  await expect(page.getByText("No post fits these filters right now.")).toBeVisible();
  await expectAccessibleEverywhere(page);
  // A phone's header has no room for the account links: the avatar opens them as a menu.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator("summary").filter({ hasText: "Account menu" }).click();
  await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the other tabs, the notifications and the settings", async ({ page }) => {
  // axe checks more than a dozen screens, each at two sizes.
  test.slow();
  await signInQuietly(page, "player2@example.com");
  const settings = ["settings", ...SETTINGS.map(({ slug }) => `settings/${slug}`)];
  const searches = ["search", "search?q=a", "search?q=nothing+like+this"];
  for (const address of ["tournaments", "messages", "profile", "notifications", ...searches, ...settings]) {
    await visit(page, `/dashboard/${address}`);
    await expectAccessibleEverywhere(page);
  }
  // The player above has reviews; this one has none.
  await signInQuietly(page, "player11@example.com");
  await visit(page, "/dashboard/profile");
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on two-factor: off, enrolling, its codes, on, and the challenge", async ({
  page,
  app,
}) => {
  test.slow();
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await visit(page, "/dashboard/settings/two-factor");
  await expectAccessibleEverywhere(page);
  const secret = await setUpTwoFactor(page);
  await expectAccessibleEverywhere(page);
  const code = page.getByRole("textbox", { name: "Code", exact: true });
  await code.fill(authenticatorCode(secret, 9));
  await page.getByRole("button", { name: "Turn On" }).click();
  await expect(code).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleEverywhere(page);
  await turnOnTwoFactor(page, secret);
  await expectAccessibleEverywhere(page);
  await page.context().clearCookies();
  const enterPassword = async () => {
    await visit(page, "/auth");
    await fillCredentials(page, email, "password123");
    await page.getByRole("button", { name: "Sign In" }).click();
  };
  await enterPassword();
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await code.fill(authenticatorCode(secret, 9));
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(code).toHaveAttribute("aria-invalid", "true");
  await expectAccessibleEverywhere(page);
  await page.getByRole("checkbox", { name: "Remember this device for 30 days" }).check();
  await code.fill(authenticatorCode(secret, 1));
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByRole("heading", { name: /^Welcome back, / })).toBeVisible();
  await visit(page, "/dashboard/settings/two-factor");
  await page.getByText("Turn off two-factor").click();
  await expectAccessibleEverywhere(page);
  await page.context().clearCookies({ name: "lineup_session" });
  await enterPassword();
  await expect(page.getByRole("heading", { name: /^Welcome back, / })).toBeVisible();
  await visit(page, "/auth/reauthenticate?with=recovery-code");
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations in the dialogs, with and without errors", async ({ page, app, anotherPage }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/lfg/new");
  await expectAccessibleEverywhere(page);
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await dialog.locator("form").evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await dialog.getByRole("button", { name: "Create Post" }).click();
  await expect(dialog.locator("form").getByRole("alert")).toContainText("2 things are missing.");
  await expectAccessibleEverywhere(page);
  const post = await createPost(page, app, {
    title: `With dialogs ${unique()}`,
    message: "All of it.",
    region: "Korea",
  });
  for (const name of ["edit", "delete", "close"]) {
    await visit(page, `${post}/${name}`);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessibleEverywhere(page);
  }
  const visitor = await anotherPage();
  await signInQuietly(visitor, await newPlayer(app));
  await visit(visitor, `${post}/contact`);
  await expect(visitor.getByRole("dialog")).toBeVisible();
  await expectAccessibleEverywhere(visitor);
});

test("axe finds no violations on a post's page: for its author, for a visitor, and closed", async ({
  page,
  app,
  anotherPage,
}) => {
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, {
    title: `On its own page ${unique()}`,
    message: "Two lines\nof it.",
    requiredRank: "Radiant",
    requiredRole: "Sentinel",
  });
  await visit(page, post);
  await expectAccessibleEverywhere(page);
  const visitor = await anotherPage();
  await visit(visitor, post);
  await expectAccessibleEverywhere(visitor);
  await page.getByRole("link", { name: "Close Post" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close Post" }).click();
  await expect(page.getByText("This post is closed.")).toBeVisible();
  // The toast is part of the page until it disappears.
  if (hasJavaScript()) await expect(page.locator(".toast-card")).toHaveCount(1);
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations in the dialogs about a tournament, its teams and other players", async ({
  page,
  app,
}) => {
  // axe checks seven dialogs.
  test.slow();
  const db = openTestDatabase(app);
  const viewer = await newAccount(app, verifiedProfile(`Axe ${unique()}`));
  await signInQuietly(page, viewer.email);
  const captains = [viewer.id];
  const day = 24 * 60 * 60 * 1000;
  const dates = { registrationDeadline: new Date(Date.now() + day), tournamentDate: new Date(Date.now() + 2 * day) };
  const open = await addTournament(db, { ...dates, teams: 2, captains });
  const hosted = await addTournament(db, { ...dates, teams: 0, userId: viewer.id });
  const played = await addPlayedTournament(db, { teams: 2, captains });
  const [, rival] = played.teams as [AddedTeam, AddedTeam];
  const [conversationId, messageId, now] = [uuidv7(), uuidv7(), new Date()];
  await db.batch([
    db.insert(conversations).values({ id: conversationId, title: "Final", lastSeq: 1, createdAt: now }),
    db
      .insert(conversationMembers)
      .values(
        [...captains, rival.captainId].map((userId) => ({ conversationId, userId, listedAt: now, joinedAt: now })),
      ),
    db
      .insert(messages)
      .values({ id: messageId, conversationId, seq: 1, senderId: rival.captainId, content: "Rude.", createdAt: now }),
    db.update(tournamentMatches).set({ conversationId }).where(eq(tournamentMatches.tournamentId, played.id)),
  ]);
  for (const address of [
    `/tournaments/${open.id}/withdraw`,
    `/tournaments/${open.id}/report`,
    `/tournaments/${open.id}/teams/${open.teams[1]?.id}/report`,
    `/tournaments/${hosted.id}/edit`,
    `/tournaments/${played.id}/matches/0/report/${messageId}`,
    `/players/${rival.captainId}/message`,
    `/players/${rival.captainId}/report`,
  ]) {
    await visit(page, address);
    await expect(page, "the address of a dialog").toHaveURL(address);
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessibleEverywhere(page);
  }
});

test("axe finds no violations on a refused step of a profile, and on an email address that is yet to be confirmed", async ({
  page,
  app,
}) => {
  const { id, email } = await newAccount(app);
  await signInQuietly(page, email);
  await visit(page, "/dashboard/ready");
  const rank = page.getByRole("button", { name: "Gold 2", exact: true });
  await rank.evaluate((button: HTMLButtonElement) => {
    button.value = "Wood 2";
    // A copy of the form has no event handlers, so the browser submits it itself.
    button.form?.replaceWith(button.form.cloneNode(true));
  });
  await rank.click();
  await expect(page).toHaveURL("/dashboard/ready");
  await expect(page.getByText("Choose a rank from the list.").first()).toBeVisible();
  await expectAccessibleEverywhere(page);
  await openTestDatabase(app).update(users).set({ emailConfirmedAt: null }).where(eq(users.id, id));
  await visit(page, "/auth/confirm");
  await expect(page.getByRole("heading", { name: "Confirm your email" })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("axe finds no violations on the state of the site, which admins see", async ({ page, app }) => {
  await signInModerator(page, app, "admin");
  await visit(page, "/moderation/health");
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("Oops! Page not found");
  await expectAccessibleEverywhere(page);
});
