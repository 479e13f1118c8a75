import { eq } from "drizzle-orm";
import { profiles } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import {
  composer,
  conversations,
  startConversation,
  startLongConversation,
  thread,
  waitForLive,
  write,
} from "./conversations";
import { holdRequests, signInQuietly, verifiedProfile } from "./steps";

test("A long thread loads older messages in pages of 50 and keeps its scroll position", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "ren.aska" }).click();
  const messages = thread(page).locator("[data-message]");
  await expect(messages).toHaveCount(50);
  await expect(messages.last()).toBeInViewport();
  // The thread holds a greeting and 130 messages.
  for (const count of hasJavaScript() ? [100, 131] : [50, 31]) {
    const first = messages.first();
    const text = await first.textContent();
    const link = page.getByRole("link", { name: "Older messages" });
    await link.scrollIntoViewIfNeeded();
    const before = await first.boundingBox();
    await link.click();
    await expect(messages).toHaveCount(count);
    if (!hasJavaScript()) continue;
    const same = messages.nth(count === 100 ? 50 : 31);
    await expect(same).toHaveText(text as string);
    expect((await same.boundingBox())?.y).toBeCloseTo(before?.y as number, 0);
  }
  await expect(page.getByRole("link", { name: "Older messages" })).toHaveCount(0);
  await expect(messages.first()).toContainText("Hi! I saw your LFG post");
  if (hasJavaScript()) return;
  await page.getByRole("link", { name: "Newest messages" }).click();
  await expect(messages).toHaveCount(50);
});

test("The messages pane is 600 pixels high in every window that has room for it", async ({ page }) => {
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  const pane = page.locator(".chat");
  const paneHeight = async () => (await pane.boundingBox())?.height;
  for (const height of [616, 650, 720, 900]) {
    await page.setViewportSize({ width: 1280, height });
    expect(await paneHeight(), `in a window ${height} pixels high`).toBe(600);
  }
  for (const height of [616, 720]) {
    await page.setViewportSize({ width: 1280, height });
    await visit(page, "/dashboard/messages");
    await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
    await expect(composer(page)).toBeVisible();
    expect(await paneHeight()).toBe(600);
    // Without JavaScript, the page opens at its top.
    if (!hasJavaScript()) continue;
    const send = pane.getByRole("button", { name: "Send", exact: true });
    await expect(send).toBeInViewport({ ratio: 1 });
    await visit(page, page.url());
    await expect(send).toBeInViewport({ ratio: 1 });
  }
});

test("In a short window, a conversation keeps its reader's scroll position, and doesn't scroll below a dialog", async ({
  page,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, the page opens at its top.");
  await page.setViewportSize({ width: 1280, height: 616 });
  await signInQuietly(page, "player1@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(composer(page)).toBeFocused();
  const address = page.url();
  const placeOf = () => page.evaluate(() => scrollY);

  await visit(page, "/dashboard/messages");
  const release = await holdRequests(page, /framework-\w+\.js/);
  await page.goto(address, { waitUntil: "commit" });
  await expect(composer(page)).toBeVisible();
  await page.evaluate(() => scrollTo(0, 30));
  release();
  await expect(composer(page)).toBeFocused();
  expect(await placeOf()).toBe(30);
  await visit(page, address);
  expect(await placeOf()).toBe(30);

  await visit(page, "/dashboard/messages");
  await visit(page, `${address}/block`);
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await placeOf()).toBe(0);
});

test("On a phone the thread is a screen of its own, with a link back", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInQuietly(page, "player2@example.com");
  await visit(page, "/dashboard/messages");
  await conversations(page).getByRole("link", { name: "Thunder Kitten 9" }).click();
  await expect(composer(page)).toBeInViewport();
  await expect(conversations(page)).toBeHidden();
  await page.getByRole("link", { name: "Back to all conversations" }).click();
  await expect(conversations(page)).toBeVisible();
  await expect(composer(page)).toHaveCount(0);
});

test.describe("On phones", () => {
  for (const width of [320, 390]) {
    test(`A thread's header names the other player, at ${width} pixels`, async ({ page, app, anotherPage }) => {
      const other = await anotherPage();
      const { address, players } = await startConversation(other, page, app, "Дмитрий");
      const [shown] = players;
      await openTestDatabase(app)
        .update(profiles)
        .set({ ...verifiedProfile(shown.name), currentRank: "Diamond 1", preferredRole: "Initiator" })
        .where(eq(profiles.userId, shown.id));
      await page.setViewportSize({ width, height: 700 });
      // The other player's presence shows once they have answered.
      await other.request.post(address, {
        form: { id: crypto.randomUUID(), message: "Hello yourself!" },
        headers: { Origin: app.url },
        maxRedirects: 0,
      });
      await visit(page, address);
      const head = page.getByRole("region", { name: /^Conversation with/ }).locator("header");
      const name = head.getByRole("link", { name: shown.name });
      await expect(name).toBeInViewport({ ratio: 1 });
      // At least "Дмитрий" can be read, with the Verified mark beside it.
      expect((await name.boundingBox())?.width).toBeGreaterThan(80);
      await expect(head.getByText("Verified")).toBeAttached();
      await expect(head.getByText(/^(Online|just now|\d+ min ago)$/)).toBeInViewport({ ratio: 1 });
      await expect(head.getByText("Diamond 1")).toBeInViewport({ ratio: 1 });
      expect(await head.evaluate((header) => header.scrollWidth <= header.clientWidth)).toBe(true);
      // Team Up is behind the menu.
      await expect(head.getByRole("link", { name: "Team Up" })).toHaveCount(0);
      await head.locator("summary").click();
      await expect(head.getByRole("link", { name: "Team Up" })).toBeVisible();
    });
  }
});

test("A half-written message survives a reload and a check for new messages", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(page, address);
  await composer(page).fill("Half a thought,\nand");
  if (hasJavaScript()) {
    await page.reload();
    await expect(composer(page)).toHaveValue("Half a thought,\nand");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(thread(page)).toContainText("Half a thought,");
    await page.reload();
    await expect(thread(page)).toContainText("Half a thought,");
    await expect(composer(page)).toHaveValue("");
  } else {
    await page.getByRole("button", { name: "Check and keep what I wrote" }).click();
    await expect(composer(page)).toHaveValue("Half a thought,\nand");
    await composer(page).fill("x".repeat(2_000));
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect(thread(page)).toContainText("x".repeat(2_000));
  }
});

test.describe("With JavaScript", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "It is about what goes on in an open page.");

  test("Screen readers announce each new message from others once, but not the player's own or older messages", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const address = await startLongConversation(page, other, app);
    await visit(page, address);
    await waitForLive(page);
    // Collects the texts that appear in live regions of the thread.
    await thread(page).evaluate((log) => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const collect = (node: Node) => {
        for (const child of node.childNodes) collect(child);
        if (!(node instanceof Text) || !node.data) return;
        const region = node.parentElement?.closest("[aria-live], [role=alert], [role=status], [role=log]");
        if (region?.getAttribute("aria-live") !== "off") heard.push(node.data);
      };
      new MutationObserver((changes) => {
        for (const { type, target, addedNodes } of changes) {
          for (const node of type === "characterData" ? [target] : addedNodes) collect(node);
        }
      }).observe(log, { childList: true, characterData: true, subtree: true });
    });
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard);

    await visit(other, address);
    await write(other, "Anybody?");
    await expect(thread(page)).toContainText("Anybody?");
    await write(page, "Here I am.");
    await expect(thread(other)).toContainText("Here I am.");
    await expect(thread(page).getByText("Sending")).toHaveCount(0);
    await write(other, "Good.");
    await expect(thread(page)).toContainText("Good.");
    await page.getByRole("link", { name: "Older messages" }).click();
    await expect(thread(page).locator("[data-message]")).toHaveCount(103);
    const read = await heard();
    expect(read.filter((text) => /Anybody|Good/.test(text))).toEqual(["Anybody?", "Good."]);
    expect(read.filter((text) => /^(Number|Here I am|You$|Sending|Sent|Seen)/.test(text))).toEqual([]);
    const days = await thread(page).locator("[data-edge]").allTextContents();
    expect(read.filter((text) => days.includes(text))).toEqual([]);
  });

  test("Once all older messages are loaded, the focus stays in the thread", async ({ page, app, anotherPage }) => {
    await visit(page, await startLongConversation(page, await anotherPage(), app));
    const older = page.getByRole("link", { name: "Older messages" });
    for (const count of [100, 120]) {
      await older.press("Enter");
      await expect(thread(page).locator("[data-message]")).toHaveCount(count);
    }
    await expect(older).toHaveCount(0);
    await expect(thread(page)).toBeFocused();
  });

  test("A page of older messages stays as it is until the reader opens the newest or writes", async ({
    page,
    app,
    anotherPage,
  }) => {
    const other = await anotherPage();
    const address = await startLongConversation(page, other, app);
    const shown = thread(page).locator("[data-message]");
    const chat = page.getByRole("link", { name: "Chat" });
    const placesAsked: number[] = [];
    page.on("request", (request) => {
      const after = new URL(request.url()).searchParams.get("after");
      if (after !== null) placesAsked.push(Number(after));
    });

    await visit(page, `${address}?before=51`);
    await waitForLive(page);
    await visit(other, address);
    await write(other, "Number 121");
    await expect(chat).toHaveAccessibleDescription("1 unread");
    await expect(shown).toHaveCount(50);
    await expect(shown.last()).toHaveText("Number 50");

    await page.getByRole("link", { name: "Newest messages" }).click();
    await expect(shown.last()).toHaveText("Number 121");
    await expect(shown).toHaveCount(50);
    await expect(chat).toHaveAccessibleDescription("");
    await write(other, "Number 122");
    await expect(shown.last()).toHaveText("Number 122");
    await expect(shown).toHaveCount(51);

    await page.goBack();
    await expect(shown.last()).toHaveText("Number 50");
    await expect(shown).toHaveCount(50);
    await write(page, "Number 123");
    await expect(page).toHaveURL(address);
    await expect(shown.last()).toHaveText("Number 123");
    await expect(thread(other)).toContainText("Number 123");
    // The thread hasn't loaded the messages in between.
    expect(placesAsked.filter((after) => after < 120)).toEqual([]);
  });
});

test("Text being typed stays in the field of an open conversation, even if one of its dialogs isn't found", async ({
  page,
  app,
  anotherPage,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, no page keeps words that haven't been sent.");
  const { address } = await startConversation(await anotherPage(), page, app);
  await visit(page, address);
  await waitForLive(page);
  await composer(page).fill("Half a thought");
  await page.evaluate(
    ([chat, dialog]) => {
      for (const path of [dialog, chat]) history.pushState(null, "", path);
      history.back();
    },
    [address, `${address}/report/${crypto.randomUUID()}`] as const,
  );
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "What you wrote" })).toHaveCount(0);
  await page.goBack();
  await expect(composer(page)).toHaveValue("Half a thought");
});
