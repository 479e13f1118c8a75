import type { Page, Request } from "@playwright/test";
import type { App } from "../../scripts/local/app";
import { addBlock } from "../integration/players";
import type { Account } from "../support/accounts";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { expectAccessibleEverywhere } from "./axe";
import {
  cardOf,
  createPost,
  expectNoOverflow,
  expectToast,
  newPlayer,
  signInNewPlayer,
  signInQuietly,
  unique,
} from "./steps";

/** Lets a new player ask to join a post, in a browser of their own. @returns the player */
async function askToJoin(asking: Page, app: App, post: string, name: string): Promise<Account> {
  const account = await signInNewPlayer(asking, app, name);
  await asking.goto(`${post}/join`);
  await asking.getByRole("button", { name: "Send Request" }).click();
  await expect(asking.getByText("Your request is with")).toBeVisible();
  return account;
}

test("A player asks to join a post, its author accepts, and the two find each other", async ({
  page,
  anotherPage,
  app,
}) => {
  // The test uses three browsers, and axe checks six screens.
  test.slow();
  const word = unique();
  const title = `Duo for Haven ${word}`;
  const [author, joiner] = [`Ann ${word}`, `Ben ${word}`];
  await signInQuietly(
    page,
    await newPlayer(app, { riotGameName: author, riotId: `${author}#ONE`, discordTag: `ann.${word}` }),
  );
  const address = await createPost(page, app, { title, neededPlayers: "1" });
  const other = await anotherPage();
  await signInQuietly(
    other,
    await newPlayer(app, {
      riotGameName: joiner,
      riotId: `${joiner}#TWO`,
      discordTag: `ben.${word}`,
      currentRank: "Gold 2",
    }),
  );

  await test.step("the player sends the request from the card and returns to the card", async () => {
    await visit(other, "/dashboard");
    await cardOf(other, title).getByRole("link", { name: "Request to Join" }).click();
    const dialog = other.getByRole("dialog", { name: "Request to Join" });
    await expect(dialog).toBeVisible();
    await waitForHydration(other);
    await expectAccessibleEverywhere(other);
    await dialog.getByRole("combobox", { name: "Role" }).selectOption("Sentinel");
    await dialog.getByRole("textbox", { name: "Note" }).fill("I hold B alone.");
    await dialog.getByRole("button", { name: "Send Request" }).click();
    await expect(other).toHaveURL(new RegExp(`/dashboard#post-${address.slice("/lfg/".length)}$`));
    await expectToast(other, "success", "Request sent!", "We'll let you know when they answer.");
    await cardOf(other, title).getByRole("link", { name: title }).click();
    await expect(other).toHaveURL(address);
    await expect(other.getByText("Your request is with")).toBeVisible();
    await expect(other.getByRole("link", { name: "Request to Join" })).toHaveCount(0);
    await expectAccessibleEverywhere(other);
  });

  await test.step("the player withdraws the request, and asks again", async () => {
    await other.getByRole("button", { name: "Withdraw" }).click();
    await expectToast(other, "success", "Request withdrawn");
    await other.getByRole("link", { name: "Request to Join" }).click();
    const dialog = other.getByRole("dialog", { name: "Request to Join" });
    await dialog.getByRole("textbox", { name: "Note" }).fill("Here I am again.");
    await dialog.getByRole("button", { name: "Send Request" }).click();
    await expect(other.getByText("Your request is with")).toBeVisible();
  });

  await test.step("the author is notified, sees who is asking, and accepts", async () => {
    await visit(page, "/dashboard");
    await expect(page.getByRole("complementary").getByText("1 player wants to join.")).toBeVisible();
    await visit(page, "/dashboard/notifications");
    await page.getByRole("link", { name: `${joiner} wants to join “${title}”` }).click();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    const requests = page.getByRole("region", { name: "Requests" });
    await expect(requests.getByRole("listitem")).toContainText("Here I am again.");
    await expect(requests.getByRole("listitem")).toContainText("Gold 2");
    await expect(requests.getByRole("button", { name: "Accept" })).toHaveAccessibleDescription(joiner);
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    await requests.getByRole("button", { name: "Accept" }).click();
    await expectToast(page, "success", `${joiner} is in. Your team is complete`, "Your post is closed now.");
    const team = page.getByRole("region", { name: "Your team" });
    await expect(team).toContainText(`Riot ID${joiner}#TWO`);
    await expect(team).toContainText(`Discordben.${word}`);
    await expect(page.getByText("Your team is complete.", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "Delete Post" })).toHaveCount(0);
    await expectAccessibleEverywhere(page);
  });

  await test.step("the new member sees that they are in, and where to find the others", async () => {
    // With JavaScript the open page updates itself.
    if (!hasJavaScript()) await other.reload();
    const team = other.getByRole("region", { name: "Your team" });
    await expect(team).toContainText(`Riot ID${author}#ONE`);
    await expect(team).toContainText(`Discordann.${word}`);
    await expectAccessibleEverywhere(other);
    for (const width of [390, 1280]) {
      await other.setViewportSize({ width, height: 844 });
      await expectNoOverflow(other);
    }
    const guest = await anotherPage();
    await visit(guest, address);
    await expect(guest.getByText("This team is complete.")).toBeVisible();
    await expect(guest.getByText("Your team")).toHaveCount(0);
    await expect(guest.getByText(`ben.${word}`)).toHaveCount(0);
  });

  await test.step("they write to each other in the team's chat", async () => {
    await other.getByRole("link", { name: "Team Chat" }).click();
    const chat = other.getByRole("region", { name: `Conversation with ${title}` });
    await expect(chat).toContainText(`You, ${author}`);
    await waitForHydration(other);
    await other.getByRole("textbox", { name: "Message" }).fill("Nine tonight?");
    await other.getByRole("button", { name: "Send" }).click();
    await expect(chat.getByText("Nine tonight?")).toBeVisible();
    await expect(chat.getByRole("log").getByText("Sent")).toBeVisible();
    await page.getByRole("link", { name: "Team Chat" }).click();
    const theirs = page.getByRole("region", { name: `Conversation with ${title}` });
    await expect(theirs.getByText("Nine tonight?")).toBeVisible();
    await expect(theirs.getByRole("listitem").getByText(joiner)).toBeVisible();
    await waitForHydration(page);
    await expectAccessibleEverywhere(page);
    if (hasJavaScript()) {
      await other.getByRole("textbox", { name: "Message" }).pressSequentially("And", { delay: 20 });
      await expect(theirs.getByText(`${joiner} is typing`)).toBeVisible();
    }
    await theirs.getByRole("link", { name: "Team", exact: true }).click();
    await expect(page.getByRole("region", { name: "Your team" })).toBeVisible();
  });

  await test.step("the member leaves the team and its chat, and the post is open again", async () => {
    await visit(other, address);
    await other.getByRole("button", { name: "Leave Team" }).click();
    await expectToast(other, "success", "You've left the team", "Your spot is open again.");
    await expect(other.getByRole("region", { name: "Your team" })).toHaveCount(0);
    await expect(other.getByRole("link", { name: "Request to Join" })).toBeVisible();
    await visit(other, "/dashboard/messages");
    await expect(other.getByRole("link", { name: title })).toHaveCount(0);
    await visit(page, address);
    await expect(page.getByRole("link", { name: "Edit" })).toBeVisible();
    await expect(page.getByText("Needs 1 player")).toBeVisible();
  });
});

test("An author's open LFG tab and list of notifications show further requests to join, and a withdrawal", async ({
  page,
  anotherPage,
  app,
  context,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript, an open page doesn't update itself.");
  const word = unique();
  const title = `Trio for Bind ${word}`;
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title, neededPlayers: "3" });
  await visit(page, "/dashboard");
  const aside = page.getByRole("complementary");
  const first = await anotherPage();
  await askToJoin(first, app, post, `Ben ${word}`);
  await expect(aside).toContainText("1 player wants to join.");
  await askToJoin(await anotherPage(), app, post, `Cem ${word}`);
  await expect(aside).toContainText("2 players want to join.");
  const bell = await context.newPage();
  await visit(bell, "/dashboard/notifications");
  await expect(bell.getByRole("main")).toContainText(`2 players want to join “${title}”`);
  await askToJoin(await anotherPage(), app, post, `Dan ${word}`);
  await expect(bell.getByRole("main")).toContainText(`3 players want to join “${title}”`);
  await first.getByRole("button", { name: "Withdraw" }).click();
  await page.bringToFront();
  await expect(aside).toContainText("2 players want to join.");
  await expect(aside).not.toContainText(`Ben ${word}`);
});

test("The last spot goes to one player, and the author's outdated page explains that before it updates", async ({
  page,
  anotherPage,
  app,
}) => {
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Author ${word}` }));
  const address = await createPost(page, app, { title: `One spot ${word}`, neededPlayers: "1" });
  const [one, two] = [await anotherPage({ javaScriptEnabled: false }), await anotherPage({ javaScriptEnabled: false })];
  for (const [asking, name] of [
    [one, `First ${word}`],
    [two, `Second ${word}`],
  ] as const) {
    await signInQuietly(asking, await newPlayer(app, { riotGameName: name }));
    await asking.goto(`${address}/join`);
    await asking.getByRole("button", { name: "Send Request" }).click();
    await expect(asking.getByText("Your request is with")).toBeVisible();
  }
  // The author has two tabs; the old one doesn't learn of the other's actions.
  const old = await page.context().newPage();
  await old.routeWebSocket(/\/parties\//, () => {});
  await visit(old, address);
  await visit(page, address);
  await page
    .getByRole("listitem")
    .filter({ hasText: `First ${word}` })
    .getByRole("button", { name: "Accept" })
    .click();
  await expect(page.getByText("Your team is complete.", { exact: true })).toBeVisible();
  await old
    .getByRole("listitem")
    .filter({ hasText: `Second ${word}` })
    .getByRole("button", { name: "Accept" })
    .click();
  await expectToast(old, "error", "Error", "Your team is complete: someone else just got the last spot.");
  await expect(old.getByText("Your team is complete.", { exact: true })).toBeVisible();
  await two.reload();
  await expect(two.getByText("Someone else got the last spot.")).toBeVisible();
});

/**
 * Opens the page of a post with one player in its team and a request from another, who has blocked the first. Presses
 * `Accept` for the request, so that the author has to confirm it.
 */
async function newBlockInTeam(page: Page, app: App, newPage: () => Promise<Page>) {
  const word = unique();
  await signInQuietly(page, await newPlayer(app, { riotGameName: `Author ${word}` }));
  const address = await createPost(page, app, { title: `Three spots ${word}`, neededPlayers: "3" });
  const requests = page.getByRole("region", { name: "Requests" }).getByRole("listitem");
  const request = (name: string) => requests.filter({ hasText: `${name} ${word}` });
  const accept = (name: string) => request(name).getByRole("button", { name: "Accept" });
  const ask = async (name: string, asking?: Page) =>
    askToJoin(asking ?? (await newPage()), app, address, `${name} ${word}`);
  const member = await newPage();
  const blocked = await ask("Member", member);
  await addBlock({ db: openTestDatabase(app) }, await ask("Asking"), blocked);

  await visit(page, address);
  await accept("Member").click();
  await expect(accept("Member")).toHaveCount(0);
  await waitForHydration(page);
  await accept("Asking").click();
  await expect(request("Asking")).toContainText(BLOCK_IN_TEAM);
  await waitForHydration(page);
  return { address, member, ask, request, accept };
}

const BLOCK_IN_TEAM = "There's a block between this player and someone in your team.";

test("An author needn't confirm an acceptance any more once the blocked player has left the team", async ({
  page,
  anotherPage,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript no page reloads by itself.");
  const newPage = () => anotherPage({ javaScriptEnabled: false });
  const { address, member, request, accept } = await newBlockInTeam(page, app, newPage);
  await member.goto(address);
  await member.getByRole("button", { name: "Leave Team" }).click();
  await expect(request("Asking")).not.toContainText(BLOCK_IN_TEAM);
  await accept("Asking").click();
  await expect(page.getByRole("region", { name: "Requests" })).toHaveCount(0);
});

test("An author who has to confirm an acceptance can still do so after news has reloaded the page", async ({
  page,
  anotherPage,
  app,
}) => {
  const newPage = () => anotherPage({ javaScriptEnabled: false });
  const { ask, request, accept } = await newBlockInTeam(page, app, newPage);
  await ask("Later");
  if (hasJavaScript()) await expect(request("Later")).toBeVisible();
  await page.getByRole("button", { name: "Accept Anyway" }).click();
  await expect(accept("Asking")).toHaveCount(0);
  await expect(request("Later")).toBeVisible();
  await expect(page.getByText("Needs 1 player")).toBeVisible();
});

test("A player with three open posts sees them named in the dialog instead of the form for a fourth", async ({
  page,
  app,
}) => {
  const title = `The first of three ${unique()}`;
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title });
  for (const word of ["second", "third"]) await createPost(page, app, { title: `The ${word} of three ${unique()}` });
  await visit(page, "/dashboard");
  await page.getByRole("link", { name: "Create Post" }).click();
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await expect(dialog.getByText("You already have three open posts")).toBeVisible();
  await expect(dialog.getByRole("list", { name: "Your open posts" }).getByRole("link")).toHaveCount(3);
  await expect(dialog.getByRole("button", { name: "Create Post" })).toHaveCount(0);
  await waitForHydration(page);
  await expectAccessibleEverywhere(page);
  await dialog.getByRole("link", { name: title }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
});

test.describe("With news behind an open dialog", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript no page loads news by itself.");

  const bellOf = (page: Page) => page.getByRole("banner").getByRole("link", { name: "Notifications" });

  test("a post that is being written keeps its text, even if a third post opens elsewhere", async ({
    page,
    anotherPage,
    app,
  }) => {
    const word = unique();
    await signInQuietly(page, await newPlayer(app, { riotGameName: `Author ${word}` }));
    await createPost(page, app, { title: `First ${word}` });
    const second = await createPost(page, app, { title: `Second ${word}` });
    await visit(page, "/dashboard/lfg/new");
    const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
    await dialog.getByRole("textbox", { name: "Title" }).fill(`Fourth ${word}`);
    await dialog.getByRole("textbox", { name: "Message" }).fill("A long story.");
    await dialog.getByRole("radio", { name: "2", exact: true }).check();
    const loads: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes(".data")) loads.push(request.url());
    });

    await createPost(page, app, { title: `Third ${word}` });
    await askToJoin(await anotherPage({ javaScriptEnabled: false }), app, second, `Asking ${word}`);
    await expect(bellOf(page)).toHaveAccessibleDescription("1 unread");
    expect(loads).toEqual([]);

    // The page may also load its data for another reason.
    const list = page.locator("#content");
    await page.evaluate(() => window.__remixRouter.revalidate());
    await expect(list.getByText(`Third ${word}`).first()).toBeAttached();
    await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(`Fourth ${word}`);
    await dialog.getByRole("button", { name: "Create Post" }).click();
    await expect(dialog.locator("form").getByRole("alert")).toContainText("Your text is still here.");
    await expect(dialog.getByRole("textbox", { name: "Message" })).toHaveValue("A long story.");
  });

  test("the page shows it once the dialog is closed", async ({ page, anotherPage, app }) => {
    const word = unique();
    await signInQuietly(page, await newPlayer(app, { riotGameName: `Author ${word}` }));
    const post = await createPost(page, app, { title: `Edited ${word}` });
    await visit(page, `${post}/edit`);
    await askToJoin(await anotherPage({ javaScriptEnabled: false }), app, post, `Asking ${word}`);
    await expect(bellOf(page)).toHaveAccessibleDescription("1 unread");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByRole("listitem").filter({ hasText: `Asking ${word}` })).toBeVisible();
  });
});

test.describe("A reload that the player interrupts", () => {
  test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript no page reloads by itself.");
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  const requestsOn = (page: Page) => page.getByRole("region", { name: "Requests" });

  /** Opens a new post with a request from `asking`, and holds back the loads of its page from then on. */
  async function openPost(page: Page, app: App, other: Page, asking: string) {
    await signInQuietly(page, await newPlayer(app));
    const post = await createPost(page, app, { title: `Interrupted ${unique()}`, neededPlayers: "3" });
    await askToJoin(other, app, post, asking);
    await visit(page, post);
    await expect(requestsOn(page)).toContainText(asking);
    const address = new RegExp(`${post}\\.data`);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(address, async (route) => {
      if (route.request().method() === "GET") await held;
      await route.continue();
    });
    const isLoad = (request: Request) => request.method() === "GET" && address.test(request.url());
    return { post, address, release, begun: () => page.waitForRequest(isLoad) };
  }

  test("by opening a dialog is made up for once the dialog is closed", async ({ page, anotherPage, app }) => {
    const word = unique();
    const { post, release, begun } = await openPost(page, app, await anotherPage(), `First ${word}`);
    const reload = begun();
    await askToJoin(await anotherPage(), app, post, `Second ${word}`);
    await reload;
    await page.getByRole("link", { name: "Edit" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    release();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(requestsOn(page)).toContainText(`Second ${word}`);
  });

  test("by a form that can't be sent is made up for after that", async ({ page, anotherPage, app }) => {
    const word = unique();
    const { post, address, release, begun } = await openPost(page, app, await anotherPage(), `First ${word}`);
    const reload = begun();
    await askToJoin(await anotherPage(), app, post, `Second ${word}`);
    await reload;
    await page.route(address, (route) => (route.request().method() === "POST" ? route.abort() : route.fallback()));
    await page.getByRole("button", { name: "Decline" }).click();
    await expectToast(page, "error", "Error", "Lineup can't be reached from here. Try again in a moment.");
    release();
    await expect(requestsOn(page)).toContainText(`Second ${word}`);
  });
});
