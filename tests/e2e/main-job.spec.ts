import { isDeepStrictEqual } from "node:util";
import { eq } from "drizzle-orm";
import { MINUTE } from "../../app/platform/dates/durations";
import { lfgPosts } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit } from "../support/e2e";
import {
  cardOf,
  createPost,
  expectToast,
  fillCredentials,
  fillRiotAccount,
  filtersOf,
  newPlayer,
  signInQuietly,
  unique,
  verifiedBox,
} from "./steps";

test("A new player signs up and posts, another player finds the post, and a visitor opens its address", async ({
  page,
  anotherPage,
  app,
}) => {
  const word = unique();
  const name = `newcomer-${word}`;
  const email = `${name}@example.com`;
  const gameName = `Fifth ${word}`;
  const title = `Two for Lotus ${word}`;

  await test.step("the landing page leads to the sign-up", async () => {
    await visit(page, "/");
    await page.getByRole("link", { name: "Get Started" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up");
    const tabs = page.getByRole("navigation", { name: "Account" });
    await expect(tabs.getByRole("link", { name: "Sign Up" })).toHaveAttribute("aria-current", "page");
  });

  await test.step("a common password is refused as weak, with the reason", async () => {
    await fillCredentials(page, email, "password1");
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
    const password = page.getByRole("textbox", { name: "Password" });
    await expect(password).toHaveAttribute("aria-invalid", "true");
    await expect(password).toHaveAccessibleDescription(/Too common and easy to guess/);
    await expect(password).toBeFocused();
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(email);
    await fillCredentials(page, email, "four smokes and a wall");
    await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up&step=2");
  });

  await test.step("an unknown Riot ID is refused, and the fields keep their values", async () => {
    const region = page.getByRole("combobox", { name: "Region" });
    await expect(region).toHaveValue("americas");
    await expect(region.getByRole("option")).toHaveText(["Americas", "Europe", "Asia"]);
    await fillRiotAccount(page, "Missing Link", "404", "europe");
    await page.getByRole("button", { name: "Verify" }).click();
    const sentence = "Riot has no account with this game name and tag. Check the spelling of both.";
    await expectToast(page, "error", "Verification failed", sentence);
    await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveValue("Missing Link");
    await expect(page.getByRole("textbox", { name: "Game Name" })).toHaveAccessibleDescription(sentence);
    await expect(page.locator("form").getByRole("alert")).toContainText("Check this:");
    await expect(page.getByRole("textbox", { name: "Tag" })).toHaveValue("404");
    await expect(region).toHaveValue("europe");
    await expect(page.getByRole("button", { name: "Complete Signup" })).toHaveCount(0);
  });

  await test.step("a Riot ID that exists completes the sign-up", async () => {
    await fillRiotAccount(page, gameName, "LINE");
    await page.getByRole("button", { name: "Verify" }).click();
    await expectToast(page, "success", "Riot account verified!", "Account found and verified successfully.");
    await expect(verifiedBox(page)).toContainText(`${gameName}#LINE`);
    // The earlier error is gone.
    await expect(page.locator("form").getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("textbox", { name: "Game Name" })).not.toHaveAttribute("aria-invalid");
    await page.getByRole("button", { name: "Complete Signup" }).click();
    await expect(page).toHaveURL("/dashboard");
    await expectToast(
      page,
      "success",
      "Account created successfully!",
      "Please check your email to verify your account.",
    );
    await expect(page.getByRole("heading", { name: `Welcome back, ${name}` })).toBeVisible();
    await expect(page.getByRole("banner").getByText("Verified")).toBeVisible();
  });

  const address = await test.step("the player posts", async () => {
    await page.getByRole("link", { name: "Create Post" }).click();
    await expect(page).toHaveURL("/dashboard/lfg/new");
    const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("textbox", { name: "Message" }).fill("Smokes are mine.\nEvenings, two hours.");
    await dialog.getByRole("group", { name: "Players Needed" }).getByRole("radio", { name: "2", exact: true }).check();
    await dialog.getByRole("combobox", { name: "Required Rank" }).selectOption("Gold 2");
    await dialog.getByRole("combobox", { name: "Required Role" }).selectOption("Sentinel");
    await dialog.getByRole("combobox", { name: "Region" }).selectOption("Europe");
    await dialog.getByRole("button", { name: "Create Post" }).click();
    await expect(page).toHaveURL("/dashboard");
    await expectToast(page, "success", "LFG post created!", "Your post is now live and other players can see it.");
    const link = cardOf(page, title).getByRole("link", { name: title });
    return (await link.getAttribute("href")) as string;
  });
  expect(address).toMatch(/^\/lfg\/[0-9a-f-]{36}$/);

  await test.step("a second player sees it, filters it out and back in, and opens it", async () => {
    const other = await anotherPage();
    // This player's profile is empty, so no post is called a best match.
    await signInQuietly(other, await newPlayer(app));
    await visit(other, "/dashboard");
    const card = cardOf(other, title);
    for (const words of [gameName, "Verified", "Needs 2 players", "Smokes are mine.", "Gold 2", "Sentinel", "Europe"]) {
      await expect(card).toContainText(words);
    }
    await expect(card.locator("time[datetime][title]")).toHaveText("less than a minute ago");
    // The newest post comes first.
    await expect(other.getByRole("article").first().getByRole("link", { name: title })).toBeVisible();

    await filtersOf(other).getByLabel("Rank").selectOption("Silver 3");
    await filtersOf(other).getByRole("button", { name: "Apply" }).click();
    await expect(other).toHaveURL(/[?&]rank=Silver\+3/);
    await expect(card).toHaveCount(0);
    await filtersOf(other).getByLabel("Rank").selectOption("Gold 2");
    await filtersOf(other).getByRole("button", { name: "Apply" }).click();
    await expect(other).toHaveURL(/[?&]rank=Gold\+2/);
    await card.getByRole("link", { name: title }).click();
    await expect(other).toHaveURL(({ pathname }) => pathname === address);
    await expect(other.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(other.getByRole("link", { name: "Close Post" })).toHaveCount(0);
    await expect(other.getByRole("link", { name: "Edit" })).toHaveCount(0);
  });

  await test.step("someone without an account opens the shared address", async () => {
    const visitor = await anotherPage();
    await visit(visitor, address);
    await expect(visitor).toHaveTitle(`${title} · Lineup`);
    await expect(visitor.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(visitor.getByRole("article")).toContainText(gameName);
    await expect(visitor.locator('meta[property="og:title"]')).toHaveAttribute("content", title);
    await expect(visitor.locator('meta[property="og:url"]')).toHaveAttribute("content", new RegExp(`${address}$`));
    await visitor.getByRole("main").getByRole("link", { name: "Contact" }).click();
    await expect(visitor.getByText("Please sign in to contact other players.").first()).toBeVisible();
    await fillCredentials(visitor, "player10@example.com", "password123");
    await visitor.getByRole("button", { name: "Sign In" }).click();
    await expect(visitor).toHaveURL(`${address}/contact`);
  });
});

test("Each filter keeps the posts that fit and hides the others", async ({ page, anotherPage, app }) => {
  const word = unique();
  const title = `Korean evenings ${word}`;
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app, { voiceCommsPreference: "preferred" }));
  await createPost(author, app, {
    title,
    message: "Ждём третьего: ÉCLAIR and calm",
    neededPlayers: "3",
    requiredRank: "Gold 1",
    requiredRole: "Duelist",
    region: "Korea",
  });
  await signInQuietly(page, "player8@example.com");
  await visit(page, "/dashboard");
  await expect(cardOf(page, title)).toBeVisible();

  const filters = filtersOf(page);
  const cases = [
    { label: "Rank", name: "rank", fits: "Platinum 3", not: "Silver 3" },
    { label: "Role", name: "role", fits: "Duelist", not: "Sentinel" },
    { label: "Region", name: "region", fits: "Korea", not: "Brazil" },
    { label: "Voice Comms", name: "voice", fits: "preferred", not: "none" },
    { label: "Players Needed", name: "players", fits: "3", not: "1" },
    { label: "Search", name: "q", fits: `eclair ${word}`, not: `${word} no such word` },
  ];
  let previous: (typeof cases)[number] | undefined;
  const set = ({ label }: { label: string }, value: string) => {
    const field = filters.getByLabel(label, { exact: true });
    return label === "Search" ? field.fill(value) : field.selectOption(value);
  };
  for (const filter of cases) {
    await test.step(filter.label, async () => {
      if (previous) await set(previous, "");
      for (const value of [filter.not, filter.fits]) {
        await set(filter, value);
        await filters.getByRole("button", { name: "Apply" }).click();
        // The address holds this filter and not the previous one.
        await expect(page).toHaveURL((url) => isDeepStrictEqual(filled(url), { [filter.name]: value }));
        await expect(cardOf(page, title)).toHaveCount(value === filter.fits ? 1 : 0);
      }
      previous = filter;
    });
  }
  await filters.getByRole("link", { name: "Reset" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expect(filters.getByRole("link", { name: "Reset" })).toHaveCount(0);

  await test.step("filters work together, and still apply after a reload", async () => {
    await filters.getByLabel("Region").selectOption("Korea");
    await filters.getByLabel("Role").selectOption("Duelist");
    await filters.getByLabel("Search").fill(word);
    await filters.getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL((url) =>
      isDeepStrictEqual(filled(url), { region: "Korea", role: "Duelist", q: word }),
    );
    await expect(page.getByRole("article")).toHaveCount(1);
    await page.reload();
    await expect(filters.getByLabel("Region")).toHaveValue("Korea");
    await expect(filters.getByLabel("Search")).toHaveValue(word);
    await expect(cardOf(page, title)).toBeVisible();
    await filters.getByLabel("Search").fill(`${word}${word}`);
    await filters.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByText("No post fits these filters right now.")).toBeVisible();
    await page.getByRole("link", { name: "Show all posts" }).click();
    await expect(page).toHaveURL("/dashboard");
  });
});

/** An address's filters, without the empty fields that a GET form also sends. */
const filled = (url: URL) => Object.fromEntries([...url.searchParams].filter(([, value]) => value !== ""));

test("An author edits, bumps and closes a post, and a closed post leaves the list", async ({
  page,
  anotherPage,
  app,
}) => {
  const word = unique();
  const title = `Late shift ${word}`;
  const better = `Late shift, from 23:00 ${word}`;
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title, message: "Coffee is ready.", neededPlayers: "4" });

  await visit(page, "/dashboard");
  const own = page.getByRole("region", { name: "Your post" });
  await expect(own.getByRole("link", { name: title })).toBeVisible();
  await own.getByRole("link", { name: "Edit" }).click();
  await expect(page).toHaveURL(({ pathname }) => pathname === `${address}/edit`);
  const dialog = page.getByRole("dialog", { name: "Edit LFG Post" });
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue(title);
  await expect(dialog.getByRole("textbox", { name: "Message" })).toHaveValue("Coffee is ready.");
  await expect(dialog.getByRole("radio", { name: "4", exact: true })).toBeChecked();
  await dialog.getByRole("textbox", { name: "Title" }).fill(better);
  await dialog.getByRole("textbox", { name: "Message" }).fill("");
  await dialog.getByRole("radio", { name: "3", exact: true }).check();
  await dialog.getByRole("button", { name: "Save Post" }).click();
  await expect(page).toHaveURL(`/dashboard${address.replace("/lfg/", "#post-")}`);
  await expectToast(page, "success", "Post saved");
  await own.getByRole("link", { name: better }).click();
  await expect(page).toHaveURL(address);
  await expect(page.getByRole("heading", { level: 1, name: better })).toBeVisible();
  await expect(page.getByText("Needs 3 players")).toBeVisible();
  await expect(page.getByText("Coffee is ready.")).toHaveCount(0);

  await expect(page.getByRole("button", { name: "Bump" })).toHaveCount(0);
  await expect(page.getByText("You can bump it in 30 minutes.")).toBeVisible();
  const db = openTestDatabase(app);
  const halfAnHourAgo = new Date(Date.now() - 31 * MINUTE);
  await db
    .update(lfgPosts)
    .set({ createdAt: halfAnHourAgo, listedAt: halfAnHourAgo })
    .where(eq(lfgPosts.id, address.replace("/lfg/", "")));
  await page.reload();
  await page.getByRole("button", { name: "Bump" }).click();
  await expectToast(page, "success", "Post bumped", "It's at the top of the list again.");

  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  await visit(other, "/dashboard");
  await expect(other.getByRole("article").first().getByRole("link", { name: better })).toBeVisible();

  await page.getByRole("link", { name: "Close Post" }).click();
  await expect(page).toHaveURL(`${address}/close`);
  const question = page.getByRole("dialog", { name: "Close Post" });
  await question.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByText("This post is closed.")).toHaveCount(0);
  await page.getByRole("link", { name: "Close Post" }).click();
  await question.getByRole("button", { name: "Close Post" }).click();
  const gone = "Other players no longer see it in the list. You can reopen it on its page.";
  await expectToast(page, "success", "Post closed", gone);
  await expect(page).toHaveURL(address);
  await expect(page.getByText("This post is closed.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Bump" })).toHaveCount(0);
  for (const link of ["Edit", "Close Post"]) await expect(page.getByRole("link", { name: link })).toHaveCount(0);

  await visit(other, "/dashboard");
  await expect(other.getByRole("heading", { name: "Newest" })).toBeVisible();
  await expect(cardOf(other, better)).toHaveCount(0);
  await visit(other, address);
  await expect(other.getByText("This post is closed.")).toBeVisible();

  await page.getByRole("button", { name: "Reopen Post" }).click();
  await expectToast(page, "success", "Post reopened");
  await expect(page.getByText("This post is closed.")).toHaveCount(0);
  await visit(other, "/dashboard");
  await expect(cardOf(other, better)).toBeVisible();
});

test("An author deletes a post for good, after confirming it", async ({ page, app }) => {
  const title = `Changed my mind ${unique()}`;
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title });
  await visit(page, address);
  await page.getByRole("link", { name: "Delete Post" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete Post" });
  await expect(dialog).toContainText(title);
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(address);
  await page.getByRole("link", { name: "Delete Post" }).click();
  await dialog.getByRole("button", { name: "Delete Post" }).click();
  await expect(page).toHaveURL("/dashboard");
  await expectToast(page, "success", "Post deleted");
  await expect(cardOf(page, title)).toHaveCount(0);
  const response = await page.goto(address);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
});

test("Only a post's author can change it", async ({ page, app, anotherPage }) => {
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  const address = await createPost(author, app, { title: `Mine alone ${unique()}` });
  await signInQuietly(page, "player8@example.com");
  for (const dialog of ["edit", "close", "delete"]) {
    const response = await page.goto(`${address}/${dialog}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Oops! Page not found" })).toBeVisible();
  }
  const forged = await page.request.post(address, {
    form: { intent: "close" },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  expect(forged.status()).toBe(404);
  await visit(page, "/dashboard");
  await expect(page.getByRole("link", { name: /^Mine alone/ })).not.toHaveCount(0);
});

test("A post can be bumped half an hour after it was listed, by the site's clock, not by its author's", async ({
  page,
  app,
}) => {
  test.skip(!hasJavaScript(), "Without JavaScript the author loads the page again.");
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title: `Punctual ${unique()}` });
  const bump = page.getByRole("button", { name: "Bump" });
  for (const wrong of [-40, 40]) {
    await page.clock.install({ time: Date.now() + wrong * MINUTE });
    await visit(page, address);
    await page.clock.fastForward(28 * MINUTE);
    await expect(page.getByText("You can bump it in 30 minutes.")).toBeVisible();
    await expect(bump).toHaveCount(0);
    await page.clock.fastForward(2 * MINUTE);
    await expect(bump).toBeVisible();
  }
});
