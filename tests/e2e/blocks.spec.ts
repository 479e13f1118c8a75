import { and, eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { conversationMembers, conversations, lfgPosts, messages, tournamentMatches } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import { startTournament } from "../support/matches";
import { expectAccessibleEverywhere } from "./axe";
import { composer, startConversation, waitForLive } from "./conversations";
import { createPost, expectToast, newAccount, signInQuietly, unique, verifiedProfile } from "./steps";

test("A player blocks another from a post, their page, and messages of a team and a match, and unblocks them", async ({
  page,
  anotherPage,
  app,
}) => {
  // Two players, four journeys, and axe on several screens.
  test.slow();
  const db = openTestDatabase(app);
  const word = unique();
  const name = `Rude ${word}`;
  const theirs = await anotherPage();
  const other = await newAccount(app, verifiedProfile(name));
  await signInQuietly(theirs, other.email);
  const post = await createPost(theirs, app, { title: `Spot ${word}` });
  const own = await newAccount(app, verifiedProfile(`Patient ${word}`));
  await signInQuietly(page, own.email);
  const profile = `/players/${other.id}`;
  const dialog = page.getByRole("dialog", { name: `Block ${name}` });

  async function block(): Promise<void> {
    await page.getByRole("link", { name: "Block", exact: true }).click();
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "Block", exact: true }).click();
    await expectToast(page, "success", `${name} is blocked`, "You can't message each other any more.");
  }
  async function unblock(): Promise<void> {
    await visit(page, profile);
    await page.getByRole("link", { name: "Unblock" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unblock" }).click();
    await expectToast(page, "success", `${name} is unblocked`);
    await expect(page).toHaveURL(profile);
  }

  await test.step("from a post", async () => {
    await visit(page, post);
    await block();
    await expect(page).toHaveURL(post);
    await expect(page.getByText("You've blocked them.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Contact" })).toHaveCount(0);
    await unblock();
  });

  await test.step("from their page", async () => {
    await expect(page.getByRole("link", { name: `Spot ${word}` })).toBeVisible();
    await page.getByRole("link", { name: "Block", exact: true }).click();
    await expectAccessibleEverywhere(page);
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await expect(dialog).toHaveCount(0);
    await block();
    await expect(page.getByText("You've blocked this player.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Message" })).toHaveCount(0);
    await expect(page.getByRole("link", { name: `Spot ${word}` })).toHaveCount(0);
    await unblock();
    await expect(page.getByRole("link", { name: "Message" })).toBeVisible();
  });

  /** Puts a message by the other player into a chat. */
  async function say(conversationId: string, content: string): Promise<void> {
    await db.batch([
      db
        .insert(messages)
        .values({ id: uuidv7(), conversationId, seq: 1, senderId: other.id, content, createdAt: new Date() }),
      db
        .update(conversations)
        .set({ lastSeq: 1, lastPreview: content, lastSenderId: other.id })
        .where(eq(conversations.id, conversationId)),
    ]);
  }
  /** Blocks the author of the one message of a chat, shows the message, and unblocks the author. */
  async function blockFromMessage(chat: string, content: string): Promise<void> {
    await visit(page, chat);
    const log = page.getByRole("log");
    await expect(log).toContainText(content);
    await block();
    await expect(page).toHaveURL(chat);
    await expect(log).toContainText("Message from a player you blocked");
    await expect(log).not.toContainText(content);
    await expect(log).not.toContainText(name);
    await expectAccessibleEverywhere(page);
    await log.getByRole("link", { name: "Show" }).click();
    await expect(log).toContainText(content);
    await unblock();
  }

  await test.step("from a message in a team's chat", async () => {
    const now = new Date();
    const conversationId = uuidv7();
    await db.insert(conversations).values({ id: conversationId, title: `Team ${word}`, createdAt: now });
    await db
      .insert(conversationMembers)
      .values([own, other].map(({ id }) => ({ conversationId, userId: id, listedAt: now, joinedAt: now })));
    await db.update(lfgPosts).set({ conversationId }).where(eq(lfgPosts.userId, other.id));
    await say(conversationId, "Something rude.");
    await blockFromMessage(`/dashboard/messages/${conversationId}`, "Something rude.");
  });

  await test.step("from a message in a match's chat", async () => {
    const more = await Promise.all(
      ["Second", "Third"].map((role) => newAccount(app, verifiedProfile(`${role} ${word}`))),
    );
    const { id } = await startTournament(app, {
      teams: 4,
      teamSize: 2,
      title: `Cup ${word}`,
      tournamentDate: new Date(Date.now() - 60_000),
      captains: [own, ...more, other].map((captain) => captain.id),
    });
    const match = await db
      .select()
      .from(tournamentMatches)
      .where(and(eq(tournamentMatches.tournamentId, id), eq(tournamentMatches.id, 0)))
      .get();
    await say(match?.conversationId as string, "You will lose.");
    await blockFromMessage(`/tournaments/${id}/matches/0`, "You will lose.");
  });
});

test("Words being typed can still be copied after a block by the other player, and are back after an unblock", async ({
  page,
  anotherPage,
  app,
}) => {
  const other = await anotherPage();
  const { players, address } = await startConversation(other, page, app);
  await visit(page, address);
  if (hasJavaScript()) await waitForLive(page);
  const words = "A long thought,\nnot yet";
  await composer(page).fill(words);
  await visit(other, `${address}/block`);
  await other.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
  await expectToast(other, "success", `${players[1].name} is blocked`, "You can't message each other any more.");
  if (!hasJavaScript()) await page.getByRole("button", { name: "Send", exact: true }).click();
  const kept = page.getByRole("textbox", { name: "What you wrote" });
  await expect(kept).toHaveValue(words);
  await expect(composer(page)).toHaveCount(0);
  if (!hasJavaScript()) return;
  await other.locator(".thread-menu summary").click();
  await other.getByRole("button", { name: "Unblock" }).click();
  await expect(composer(page)).toHaveValue(words);
  // The words are forgotten when the player leaves the closed conversation.
  await visit(other, `${address}/block`);
  await other.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
  await expect(kept).toHaveValue(words);
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(":draft:")))).toEqual([]);
});
