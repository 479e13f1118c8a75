import type { Page } from "@playwright/test";
import { eq, inArray } from "drizzle-orm";
import { MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import { joinRequests, lfgPosts, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { hidingIn } from "../support/hiding";
import { expectAccessibleEverywhere } from "./axe";
import { composer, waitForLive } from "./conversations";
import { createPost, expectNoOverflow, expectToast, newAccount, newPlayer, signInQuietly, unique } from "./steps";

/** Shows the other player's change on a page. With JavaScript it arrives by itself; without, the page is reloaded. */
async function update(page: Page): Promise<void> {
  if (hasJavaScript()) return;
  await page.reload();
}

/** Forms a team of two, and opens the author's page. Leaves the other player signed in, without a page. */
async function newTeam(page: Page, other: Page, app: App) {
  const word = unique();
  const db = openTestDatabase(app);
  const [author, joiner] = [`Ann ${word}`, `Ben ${word}`];
  const ann = await newAccount(app, { riotGameName: author, riotId: `${author}#ONE`, preferredRole: "Controller" });
  const ben = await newAccount(app, { riotGameName: joiner, riotId: `${joiner}#TWO` });
  await db
    .update(users)
    .set({ createdAt: new Date(Date.now() - 48 * 60 * MINUTE) })
    .where(inArray(users.id, [ann.id, ben.id]));
  await signInQuietly(page, ann.email);
  const title = `Duo for Bind ${word}`;
  const address = await createPost(page, app, { title, neededPlayers: "1" });
  await signInQuietly(other, ben.email);
  await visit(other, `${address}/join`);
  await other.getByRole("combobox", { name: "Role" }).selectOption("Sentinel");
  await other.getByRole("button", { name: "Send Request" }).click();
  await expect(other.getByText("Your request is with")).toBeVisible();
  await visit(page, address);
  await page.getByRole("region", { name: "Requests" }).getByRole("button", { name: "Accept" }).click();
  return { author, joiner, title, address, team: page.getByRole("region", { name: "Your team" }) };
}

test("A party code that was refused is forgotten once a teammate has set another one", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const other = await anotherPage();
  const { address, team } = await newTeam(page, other, app);
  const field = team.getByRole("textbox", { name: "Party code" });
  await field.fill("ab1");
  await team.getByRole("button", { name: "Set Code" }).click();
  await expect(field).toHaveAccessibleDescription(/^Enter the 6 letters/);
  await visit(other, address);
  await other.getByRole("textbox", { name: "Party code" }).fill("xy98zw");
  await other.getByRole("button", { name: "Set Code" }).click();
  await expect(team.getByText("XY98ZW")).toBeVisible();
  await other.getByRole("button", { name: "Clear Code" }).click();
  await expect(field).toHaveValue("");
  await expect(field).toHaveAccessibleDescription("");
  await expect(page.locator(".toast-card[data-kind=error]")).toHaveCount(0);
});

test("On a phone on its side, a team's chat has room for messages and its composer, even with the room unfolded", async ({
  page,
  anotherPage,
  app,
}) => {
  const { team } = await newTeam(page, await anotherPage(), app);
  await page.setViewportSize({ width: 844, height: 390 });
  await team.getByRole("link", { name: "Team Chat" }).click();
  const pane = page.locator(".chat");
  await expect(pane.getByRole("list", { name: "Your team" })).toBeVisible();
  const { bottom, end, log } = await pane.evaluate((element) => ({
    bottom: element.getBoundingClientRect().bottom,
    end: element.querySelector(".composer")?.getBoundingClientRect().bottom ?? Number.NaN,
    log: element.querySelector("[role=log]")?.getBoundingClientRect().height,
  }));
  expect(end).toBeLessThanOrEqual(bottom);
  expect(log).toBeGreaterThan(60);
});

test("A party code that comes after the team's session is refused with a reason that outlives the form", async ({
  page,
  anotherPage,
  app,
}) => {
  const { address, team } = await newTeam(page, await anotherPage(), app);
  const field = team.getByRole("textbox", { name: "Party code" });
  await field.fill("AB12CD");
  // The session ends without the page being told.
  await openTestDatabase(app)
    .update(lfgPosts)
    .set({ sessionEndedAt: new Date() })
    .where(eq(lfgPosts.id, address.slice("/lfg/".length)));
  await team.getByRole("button", { name: "Set Code" }).click();
  await expect(field).toBeHidden();
  await expectToast(page, "error", "Error", "This team's session is over.");
  // The toast used to vanish a moment later.
  const toast = page.locator(".toast-card").filter({ hasText: "This team's session is over." });
  await expect(toast.waitFor({ state: "hidden", timeout: 2_500 })).rejects.toThrow("Timeout");
});

test("A team gets ready on the post's page and in its chat: party code, voice link, Ready, and feedback at the end", async ({
  page,
  anotherPage,
  app,
}) => {
  // The test uses two browsers, and axe checks several screens.
  test.slow();
  const other = await anotherPage();
  const { author, joiner, title, address, team } = await newTeam(page, other, app);
  const db = openTestDatabase(app);
  await test.step("the post's page says what comes next, and takes the code and the link", async () => {
    await expect(team.getByText("Press Ready when you're set.")).toBeVisible();
    await expect(team.getByText("Missing: Duelist, Initiator")).toBeVisible();
    await team.getByRole("textbox", { name: "Party code" }).fill("ab1");
    await team.getByRole("button", { name: "Set Code" }).click();
    await expect(team.getByRole("textbox", { name: "Party code" })).toHaveAccessibleDescription(
      "Enter the 6 letters and digits that VALORANT shows.",
    );
    await expect(team.getByRole("textbox", { name: "Party code" })).toHaveValue("ab1");
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    await team.getByRole("textbox", { name: "Party code" }).fill("ab 12 cd !");
    await team.getByRole("button", { name: "Set Code" }).click();
    await expect(page.locator(".toast-card[data-kind=error]")).toHaveCount(1);
    await team.getByRole("textbox", { name: "Party code" }).fill("ab12cd");
    await team.getByRole("button", { name: "Set Code" }).click();
    await expect(team.getByText("AB12CD")).toBeVisible();
    await expect(page.locator(".toast-card[data-kind=error]")).toHaveCount(0);
    await team.getByRole("textbox", { name: "Voice channel" }).fill("discord.gg/aBcDeF");
    await team.getByRole("button", { name: "Set Link" }).click();
    await expect(team.getByRole("link", { name: "discord.gg/aBcDeF" })).toBeVisible();
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoOverflow(page);
    }
    if (hasJavaScript()) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await team.getByRole("listitem").filter({ hasText: joiner }).getByRole("button", { name: "Copy" }).click();
      await expect(team.getByRole("button", { name: "Copied" })).toHaveAccessibleDescription(`${joiner}#TWO`);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${joiner}#TWO`);
    } else await expect(team.getByRole("button", { name: "Copy" })).toHaveCount(0);
  });

  const chat = other.getByRole("region", { name: `Conversation with ${title}` });
  await test.step("the chat of the team isn't blank, and shows the same", async () => {
    await visit(other, address);
    await other.getByRole("link", { name: "Team Chat" }).click();
    await expect(chat.getByText("Say hi in team chat.")).toBeVisible();
    await expect(chat.getByText("Press Ready when you're set.")).toBeVisible();
    await expect(chat.getByText("AB12CD")).toBeVisible();
    await expect(chat.getByRole("link", { name: "discord.gg/aBcDeF" })).toHaveAttribute(
      "href",
      "https://discord.gg/aBcDeF",
    );
    await waitForHydration(other);
    await expectAccessibleEverywhere(other);
    for (const width of [390, 1280]) {
      await other.setViewportSize({ width, height: 844 });
      await expectNoOverflow(other);
    }
    if (hasJavaScript()) {
      // On a phone the room folds while the player writes, because the keyboard leaves little space.
      await other.setViewportSize({ width: 390, height: 844 });
      // On a desktop the message's field had the focus from the start, and only a change of focus folds the room.
      await chat.locator("summary").focus();
      await other.getByRole("textbox", { name: "Message" }).focus();
      await expect(chat.getByRole("button", { name: "Set Link" })).toBeHidden();
      await expect(chat.getByRole("button", { name: "Clear Code" })).toBeHidden();
      await chat.locator("summary").click();
      await expect(chat.getByRole("button", { name: "Clear Code" })).toBeVisible();
      await other.setViewportSize({ width: 1280, height: 844 });
    }
  });

  await test.step("each immediately sees that the other is ready", async () => {
    if (hasJavaScript()) await expect(chat.getByText("Live", { exact: true })).toBeAttached();
    await team.getByRole("button", { name: "Ready" }).click();
    await expect(team.getByText(`Waiting for ${joiner} to be ready.`)).toBeVisible();
    await update(other);
    await expect(chat.getByText("Everyone else is ready. Press Ready when you're set.")).toBeVisible();
    await chat.getByRole("button", { name: "Ready" }).click();
    await expect(chat.getByText("All ready. Queue up.")).toBeVisible();
    await update(page);
    await expect(team.getByText("All ready. Queue up.")).toBeVisible();
    await chat.getByRole("button", { name: "I'm not ready" }).click();
    await expect(chat.getByText("1 of 2 ready")).toBeVisible();
    await update(page);
    await expect(team.getByText(`Waiting for ${joiner} to be ready.`)).toBeVisible();
  });

  await test.step("a change keeps what was typed in the chat, and the code can be cleared there", async () => {
    // Without JavaScript the response to a form is a new page.
    if (hasJavaScript()) await other.getByRole("textbox", { name: "Message" }).fill("Half a");
    await chat.getByRole("button", { name: "Clear Code" }).click();
    await expect(chat.getByRole("textbox", { name: "Party code" })).toBeVisible();
    if (hasJavaScript()) await expect(other.getByRole("textbox", { name: "Message" })).toHaveValue("Half a");
    await update(page);
    await expect(team.getByRole("textbox", { name: "Party code" })).toBeVisible();
  });

  await test.step("after the session the room asks how it was", async () => {
    const id = address.slice("/lfg/".length);
    await db
      .update(lfgPosts)
      .set({ filledAt: new Date(Date.now() - 121 * MINUTE) })
      .where(eq(lfgPosts.id, id));
    await app.runScheduled();
    await update(other);
    await expect(chat.getByText(`How was playing with ${author}?`)).toBeVisible();
    await chat.getByRole("link", { name: "Give Feedback" }).click();
    await expect(other).toHaveURL(`/dashboard/feedback/${id}`);
    await visit(page, address);
    await expect(team.getByText(`How was playing with ${joiner}?`)).toBeVisible();
    await expectAccessibleEverywhere(page);
  });
});

test("A team's room stays open for a member who types the party code while others write and press Ready", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const db = openTestDatabase(app);
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title: `Fold ${unique()}`, neededPlayers: "1" });
  const postId = address.slice("/lfg/".length);
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  const sent = { headers: { Origin: app.url }, maxRedirects: 0 };
  await other.request.post(`${address}/join`, { form: { id: uuidv7() }, ...sent });
  const asked = await db.select().from(joinRequests).where(eq(joinRequests.postId, postId)).get();
  await page.request.post(address, { form: { intent: "accept", request: asked?.id ?? "" }, ...sent });
  const post = await db.select().from(lfgPosts).where(eq(lfgPosts.id, postId)).get();
  const chat = `/dashboard/messages/${post?.conversationId}`;

  await visit(page, chat);
  await expect(page.getByText("Live", { exact: true })).toBeAttached();
  const code = page.getByRole("textbox", { name: "Party code" });
  await code.fill("AB");
  await visit(other, chat);
  await other.getByRole("textbox", { name: "Message" }).fill("hi");
  await other.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByRole("log")).toContainText("hi");
  await other.getByRole("button", { name: "Ready", exact: true }).click();
  await expect(page.getByText("1 of 2 ready")).toBeVisible();
  await expect(code).toBeFocused();
  await expect(code).toHaveValue("AB");
  // A room that is opened later begins folded, because there are messages.
  await page.reload();
  await expect(code).toBeHidden();
});

test("A player leaves a team in its chat once moderators have hidden the post", async ({ page, anotherPage, app }) => {
  const other = await anotherPage();
  const { address, team } = await newTeam(page, other, app);
  await team.getByRole("link", { name: "Team Chat" }).click();
  await expect(page.getByRole("region", { name: "Conversation with" })).toBeVisible();
  const chat = new URL(page.url()).pathname;
  await visit(other, chat);
  const leave = other.getByRole("button", { name: "Leave Team" });
  await expect(leave).toHaveCount(0);
  await hidingIn(app).hide({ kind: "post", id: address.slice("/lfg/".length) });
  await update(other);
  await expect(leave).toBeVisible();
  await expectNoOverflow(other);
  await leave.click();
  await expect(other).toHaveURL("/dashboard/messages");
  await expectToast(other, "success", "You've left the team");
  await expect(other.getByText("Post removed by moderators")).toHaveCount(0);
});

test("Text being typed in a team's chat can still be copied when the author removes the player", async ({
  page,
  anotherPage,
  app,
}) => {
  const other = await anotherPage();
  const { address, team } = await newTeam(page, other, app);
  const chat = (await team.getByRole("link", { name: "Team Chat" }).getAttribute("href")) as string;
  await visit(other, chat);
  if (hasJavaScript()) await waitForLive(other);
  await composer(other).fill("I can play until");
  await visit(page, address);
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(page.getByRole("button", { name: "Remove", exact: true })).toHaveCount(0);
  if (!hasJavaScript()) await other.getByRole("button", { name: "Send", exact: true }).click();
  await expect(other.getByText("Oops! Page not found")).toBeVisible();
  await expect(other.getByRole("textbox", { name: "What you wrote" })).toHaveValue("I can play until");
});
