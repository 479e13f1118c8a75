import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, test, visit, waitForHydration } from "../support/e2e";
import { addSession } from "../support/played";
import { expectAccessibleEverywhere } from "./axe";
import { createPost, expectNoOverflow, expectToast, newAccount, signInNewPlayer, signInQuietly, unique } from "./steps";

test("Two players' feedback after a session stays hidden until both have given it, and can be reported", async ({
  page,
  anotherPage,
  app,
}) => {
  test.slow();
  const word = unique();
  const title = `Duo for Lotus ${word}`;
  const other = await anotherPage();
  const ann = await signInNewPlayer(page, app, `Ann ${word}`);
  await signInNewPlayer(other, app, `Ben ${word}`);
  const address = await createPost(page, app, { title, neededPlayers: "1" });
  const postId = address.split("/").at(-1) as string;
  const db = openTestDatabase(app);

  await test.step("two hours after the team was complete, both are asked for feedback", async () => {
    const headers = { Origin: app.url };
    await other.request.post(`${address}/join`, { form: { id: uuidv7() }, headers, maxRedirects: 0 });
    const request = await db.select().from(joinRequests).where(eq(joinRequests.postId, postId)).get();
    const form = { intent: "accept", request: request?.id ?? "" };
    await page.request.post(address, { form, headers, maxRedirects: 0 });
    for (const one of [page, other]) await one.context().clearCookies({ name: "lineup_toast" });
    await db
      .update(lfgPosts)
      .set({ filledAt: new Date(Date.now() - 3 * HOUR) })
      .where(eq(lfgPosts.id, postId));
    await app.runScheduled();
    await visit(page, "/dashboard/notifications");
    await page.getByRole("link", { name: `How was playing with “${title}”?` }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Feedback" })).toBeVisible();
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
  });

  await test.step("the author rates, says what was good, and changes their mind", async () => {
    const player = page
      .getByRole("list", { name: "Your team" })
      .getByRole("listitem")
      .filter({ hasText: `Ben ${word}` });
    await player.getByRole("group", { name: "Rating" }).getByRole("radio", { name: "4 stars" }).check();
    await expect(player.getByText("Good to play with.")).toBeVisible();
    await player.getByRole("checkbox", { name: "keeps calm" }).check();
    await player.getByRole("textbox", { name: "Comment" }).fill("Held B alone. Twice.");
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page);
    }
    await player.getByRole("button", { name: "Send Feedback" }).click();
    await expectToast(
      page,
      "success",
      "Feedback saved!",
      "It stays hidden until they give theirs, for a week at most.",
    );
    await expect(page.getByText("That's everyone. Thank you!")).toBeVisible();
    await expectAccessibleEverywhere(page);
    await player.getByRole("link", { name: "Change" }).click();
    await expect(player.getByRole("radio", { name: "4 stars" })).toBeChecked();
    await expect(player.getByRole("checkbox", { name: "keeps calm" })).toBeChecked();
    await player.getByRole("radio", { name: "5 stars" }).check();
    await player.getByRole("button", { name: "Change Feedback" }).click();
    await expect(player.getByText("5 out of 5 stars")).toBeAttached();
  });

  await test.step("nobody sees it until the other player has given theirs, too", async () => {
    await visit(other, "/dashboard/profile");
    await expect(other.getByRole("region", { name: "Feedback" }).getByText("No feedback received yet.")).toBeVisible();
    await visit(other, `/players/${ann.id}`);
    await other.getByRole("link", { name: "Give Feedback" }).click();
    const dialog = other.getByRole("dialog", { name: `Feedback for Ann ${word}` });
    await expect(dialog).toBeVisible();
    await waitForHydration(other);
    await expectAccessibleEverywhere(other);
    await dialog.locator("form").evaluate((form: HTMLFormElement) => {
      form.noValidate = true;
    });
    await dialog.getByRole("textbox", { name: "Comment" }).fill("Calls early.");
    await dialog.getByRole("button", { name: "Send Feedback" }).click();
    await expect(dialog.locator("form").getByRole("alert")).toContainText("Rating: choose one to five stars.");
    await expectAccessibleEverywhere(other);
    await expect(dialog.getByRole("textbox", { name: "Comment" })).toHaveValue("Calls early.");
    await dialog.getByRole("radio", { name: "4 stars" }).check();
    await dialog.getByRole("button", { name: "Send Feedback" }).click();
    await expectToast(
      other,
      "success",
      "Feedback saved!",
      "You've both given feedback, so they can see it from now on.",
    );
    await expect(other).toHaveURL(`/players/${ann.id}`);
    await expect(other.getByRole("link", { name: /Feedback$/ })).toHaveCount(0);
    await expect(other.getByRole("region", { name: "Feedback" })).toContainText("4.0");
  });

  await test.step("both are notified and find it on their Profile tab, with the score's distribution", async () => {
    await visit(other, "/dashboard/notifications");
    await other.getByRole("link", { name: "A player you met left you feedback" }).click();
    await expect(other.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
    const section = other.getByRole("region", { name: "Feedback" });
    await expect(section).toContainText("5.0 out of 5 stars");
    await expect(section).toContainText("1 review");
    await expect(section.getByRole("list", { name: "Reviews by stars" })).toContainText("5 stars: 1 review");
    const review = section.getByRole("list", { name: "Reviews", exact: true }).getByRole("listitem").first();
    await expect(review).toContainText(`Ann ${word}`);
    await expect(review).toContainText("Held B alone. Twice.");
    await expect(review).toContainText("keeps calm");
    await waitForHydration(other);
    await expectAccessibleEverywhere(other);
    const guest = await anotherPage();
    await visit(guest, `/players/${ann.id}`);
    await expect(guest.getByRole("region", { name: "Feedback" })).toContainText("Calls early.");
    // Visitors can report the player and the review.
    await expect(guest.getByRole("link", { name: "Report" })).toHaveCount(2);
    await expectAccessibleEverywhere(guest);
    for (const width of [390, 1280]) {
      await guest.setViewportSize({ width, height: 844 });
      await expectNoOverflow(guest);
    }
  });

  await test.step("the player whom the review is about reports it", async () => {
    await other.getByRole("link", { name: "Report" }).click();
    const dialog = other.getByRole("dialog", { name: `Report a review by Ann ${word}` });
    await expect(dialog.getByText("Held B alone. Twice.")).toBeVisible();
    await waitForHydration(other);
    await expectAccessibleEverywhere(other);
    await dialog.getByRole("radio", { name: "Untrue or unfair" }).check();
    await dialog.getByRole("button", { name: "Send Report" }).click();
    await expectToast(other, "success", "Report sent", `Our moderators will read it. Ann ${word} won't be told.`);
    await expect(other.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible();
  });
});

test("On a team's feedback page one form is open at a time, and sending it opens the next", async ({ page, app }) => {
  const word = unique();
  const ada = await newAccount(app, { riotGameName: `Ada ${word}` });
  const bo = await signInNewPlayer(page, app, `Bo ${word}`);
  const cleo = await newAccount(app, { riotGameName: `Cleo ${word}` });
  const postId = await addSession(openTestDatabase(app), ada, [bo, cleo]);
  await visit(page, `/dashboard/feedback/${postId}`);
  const team = page.getByRole("list", { name: "Your team" });
  const rows = team.locator(":scope > li");
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Send Feedback" })).toHaveCount(1);
  await rows
    .filter({ hasText: `Cleo ${word}` })
    .getByRole("link", { name: "Give Feedback" })
    .click();
  const cleos = rows.filter({ hasText: `Cleo ${word}` });
  await cleos.getByRole("radio", { name: "3 stars" }).check();
  await cleos.getByRole("button", { name: "Send Feedback" }).click();
  await expectToast(page, "success", "Feedback saved!");
  await expect(cleos.getByText("Hidden until they give theirs")).toBeVisible();
  const adas = rows.filter({ hasText: `Ada ${word}` });
  await adas.getByRole("radio", { name: "5 stars" }).check();
  await adas.getByRole("button", { name: "Send Feedback" }).click();
  await expect(page.getByText("That's everyone. Thank you!")).toBeVisible();
});

test("A change of feedback in an outdated tab is refused once, and keeps its entries", async ({
  page,
  app,
  anotherPage,
}) => {
  const word = unique();
  const ada = await newAccount(app, { riotGameName: `Ada ${word}` });
  const bo = await signInNewPlayer(page, app, `Bo ${word}`);
  await addSession(openTestDatabase(app), ada, [bo]);
  const address = `/players/${ada.id}/feedback`;
  const stars = (tab: Page, count: number) => tab.getByRole("radio", { name: `${count} stars` });
  const press = (tab: Page, name: string) => tab.getByRole("dialog").getByRole("button", { name }).click();
  await visit(page, address);
  await stars(page, 5).check();
  await press(page, "Send Feedback");
  await expectToast(page, "success", "Feedback saved!");
  await visit(page, address);
  const newer = await anotherPage();
  await signInQuietly(newer, bo.email);
  await visit(newer, address);
  await stars(newer, 2).check();
  await press(newer, "Change Feedback");
  await expectToast(newer, "success", "Feedback saved!");

  await page.getByRole("checkbox", { name: "friendly" }).check();
  await press(page, "Change Feedback");
  await expect(page.getByRole("dialog").getByText("Your feedback has changed elsewhere").first()).toBeVisible();
  await expect(stars(page, 5)).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "friendly" })).toBeChecked();
  await press(page, "Change Feedback");
  await expectToast(page, "success", "Feedback saved!");
  await visit(newer, address);
  await expect(stars(newer, 5)).toBeChecked();
});
