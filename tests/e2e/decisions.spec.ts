import { eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { appeals, decisions, reportCases, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { PASSWORD } from "../../scripts/worlds";
import { openTestDatabase } from "../support/database";
import { expect, test, visit } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import { expectNoOverflow, expectToast, fillCredentials, newAccount, signInModerator } from "./steps";

/** Suspends a player until 2030 by a decision about a post, as moderators do. */
async function suspend(app: App, playerId: string): Promise<string> {
  const db = openTestDatabase(app);
  const [caseId, decisionId, subjectId] = [uuidv7(), uuidv7(), uuidv7()];
  const until = new Date("2030-03-01T12:00:00Z");
  const now = new Date();
  const about = { kind: "post", subjectId, playerId } as const;
  await db.batch([
    db.insert(reportCases).values({
      ...{ ...about, id: caseId, state: "closed", createdAt: now, updatedAt: now, closedAt: now },
      snapshot: { author: "Seller", title: "Accounts for sale", message: "Cheap and good" },
    }),
    db.insert(decisions).values({
      ...{ ...about, id: decisionId, caseId, action: "suspend", rule: "cheating", until, isFlagged: false },
      ...{ reason: "You offer accounts for money.", decider: "operator Mo", createdAt: now },
    }),
    db
      .update(users)
      .set({ suspendedAt: now, suspendedUntil: until, suspendedReason: "You offer accounts for money." })
      .where(eq(users.id, playerId)),
  ]);
  return decisionId;
}

test("A suspended player signs in, reads why, wins an appeal and gets back in", async ({ page, app, anotherPage }) => {
  test.slow();
  const { id, email } = await newAccount(app);
  const decisionId = await suspend(app, id);
  await visit(page, "/auth");
  await fillCredentials(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();

  await expect(page).toHaveURL("/account/decisions");
  await expect(page.getByRole("heading", { name: "Decisions", level: 1 })).toBeVisible();
  const decision = page.getByRole("article", { name: "Your account is suspended" });
  await expect(decision).toContainText("It ends on 1 March 2030");
  await expect(decision).toContainText("Accounts for sale");
  await expect(decision).toContainText("You offer accounts for money.");
  await expect(decision.getByRole("link", { name: "6. No cheating and no boosting" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Export" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Delete Account" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await expectNoOverflow(page);

  await page.goto("/dashboard/messages");
  await expect(page).toHaveURL("/account/decisions");

  await decision.getByRole("link", { name: "Appeal" }).click();
  await expect(page.getByRole("heading", { name: "Appeal", level: 1 })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("textbox", { name: "Why is this wrong?" }).fill("I only sold a mouse.");
  await page.getByRole("button", { name: "Send Appeal" }).click();
  await expect(page).toHaveURL("/account/decisions");
  await expectToast(page, "success", "Appeal sent", "We'll write to you as soon as it's answered.");
  await expect(decision).toContainText("I only sold a mouse.");
  await expect(decision).toContainText("Your appeal is waiting for an answer.");
  await expect(decision.getByRole("link", { name: "Appeal" })).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL("/account/decisions");
  await expect(decision).toContainText("Your appeal is waiting for an answer.");
  const [sent, ...others] = await openTestDatabase(app)
    .select()
    .from(appeals)
    .where(eq(appeals.decisionId, decisionId));
  expect([sent?.words, others]).toEqual(["I only sold a mouse.", []]);

  await page.getByRole("link", { name: "Export" }).click();
  await expect(page.getByRole("button", { name: "Download My Data" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("link", { name: "Delete Account" }).click();
  await expect(page.getByRole("button", { name: "Delete Account" })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await expectNoOverflow(page);

  const moderator = await anotherPage();
  await signInModerator(moderator, app);
  await visit(moderator, "/moderation");
  await moderator.getByRole("link", { name: "Appeals" }).click();
  await expect(moderator.getByRole("heading", { name: "Appeals", level: 1 })).toBeVisible();
  await expectAccessibleEverywhere(moderator);
  await visit(moderator, `/moderation/appeals/${sent?.id}`);
  await expect(moderator.getByText("I only sold a mouse.")).toBeVisible();
  await expectAccessibleEverywhere(moderator);
  await expectNoOverflow(moderator);
  await moderator.getByRole("textbox", { name: "Reason" }).fill("A mouse is no account.");
  await moderator.getByRole("button", { name: "Grant" }).click();
  await expect(moderator).toHaveURL("/moderation/appeals");
  await expectToast(moderator, "success", "Appeal granted", "The decision is undone, and we've told the player.");

  await visit(page, "/dashboard");
  await expect(page).toHaveURL("/dashboard");
  await expect(page.getByRole("heading", { name: "LFG" }).or(page.getByText("Welcome back"))).toBeVisible();
  await visit(page, "/account/decisions");
  await expect(decision).toContainText("Undone");
  await expect(decision).toContainText("Granted: the decision was undone.");
  await expect(decision).toContainText("A mouse is no account.");
});

test("An appeal against a decision that has just been undone stays on its page, with the reason", async ({
  page,
  app,
}) => {
  const { id, email } = await newAccount(app);
  const decisionId = await suspend(app, id);
  await visit(page, "/auth");
  await fillCredentials(page, email, PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.getByRole("link", { name: "Appeal" }).click();
  const words = page.getByRole("textbox", { name: "Why is this wrong?" });
  await words.fill("I only sold a mouse.");
  const db = openTestDatabase(app);
  await db.batch([
    db.update(decisions).set({ undoneBy: uuidv7() }).where(eq(decisions.id, decisionId)),
    db.update(users).set({ suspendedAt: null, suspendedUntil: null, suspendedReason: null }).where(eq(users.id, id)),
  ]);
  await page.getByRole("button", { name: "Send Appeal" }).click();
  const refusal = "This decision has been undone, so there's nothing left to appeal.";
  await expect(page.getByRole("main").getByRole("alert")).toContainText(refusal);
  await expect(words).toHaveValue("I only sold a mouse.");
});
