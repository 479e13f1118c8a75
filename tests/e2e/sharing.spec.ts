import { PASSWORD } from "../../scripts/worlds";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, visit, waitForHydration } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import {
  createPost,
  expectNoOverflow,
  expectToast,
  fillCredentials,
  newPlayer,
  signInNewPlayer,
  signInQuietly,
  unique,
} from "./steps";

test("A shared page's header lets visitors sign up, or sign in and come back", async ({ page, anotherPage, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const address = await createPost(page, app, { title: `For all ${unique()}` });
  const email = await newPlayer(app);
  const visitor = await anotherPage();
  await visitor.setViewportSize({ width: 390, height: 800 });
  await visit(visitor, address);
  await expectNoOverflow(visitor);
  const header = visitor.getByRole("banner");
  await header.getByRole("link", { name: "Get Started" }).click();
  await expect(visitor.getByRole("button", { name: "Next: Verify Riot Account" })).toBeVisible();
  await visit(visitor, address);
  await header.getByRole("link", { name: "Sign In" }).click();
  await fillCredentials(visitor, email, PASSWORD);
  await visitor.getByRole("button", { name: "Sign In" }).click();
  await expect(visitor).toHaveURL(address);
  await expect(header.getByRole("link", { name: "Sign In" })).toHaveCount(0);
});

test("Each page sets its title, canonical address and robots tag", async ({ page, app }) => {
  const canonical = page.locator("link[rel=canonical]");
  const robots = page.locator("meta[name=robots]");
  await visit(page, "/");
  await expect(page).toHaveTitle("Lineup: find your fifth");
  await expect(canonical).toHaveAttribute("href", `${app.url}/`);

  await page.getByRole("link", { name: "Sign In" }).click();
  await expect(page).toHaveTitle("Sign in · Lineup");
  await expect(canonical).toHaveAttribute("href", `${app.url}/auth`);
  await expect(canonical).toHaveCount(1);
  await page.getByRole("link", { name: "Sign Up", exact: true }).click();
  await expect(page).toHaveTitle("Sign up · Lineup");
  await expect(canonical).toHaveAttribute("href", `${app.url}/auth`);
  await expect(robots).toHaveCount(0);

  await signInQuietly(page, await newPlayer(app));
  const title = `Shared ${unique()}`;
  const address = await createPost(page, app, { title });
  await visit(page, "/dashboard");
  await expect(page).toHaveTitle("LFG · Lineup");
  await expect(robots).toHaveAttribute("content", "noindex");
  await expect(canonical).toHaveCount(0);
  await page.getByRole("link", { name: title }).first().click();
  await waitForHydration(page);
  await expect(page).toHaveTitle(`${title} · Lineup`);
  await expect(canonical).toHaveAttribute("href", app.url + address);
  await expect(robots).toHaveCount(0);
});

test.describe("Share", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("Posts, players and tournaments are shared with the device's share sheet, or else as a copied link", async ({
    page,
    app,
  }) => {
    const player = await signInNewPlayer(page, app, `Shared ${unique()}`);
    const title = `Share me ${unique()}`;
    const post = await createPost(page, app, { title });
    const { id: tournament } = await addTournament(openTestDatabase(app), { teams: 2 });
    const addresses = [post, `/players/${player.id}`, `/tournaments/${tournament}`].map((path) => app.url + path);
    const share = page.getByRole("main").getByRole("button", { name: "Share", exact: true });
    // In the first round the browser has a share sheet, in the second it has none.
    for (const hasSheet of [true, false]) {
      await page.addInitScript((has) => {
        const shared: ShareData[] = [];
        Object.assign(window, { shared });
        Object.defineProperty(Navigator.prototype, "share", {
          configurable: true,
          value: async (data: ShareData) => shared.push(data),
        });
        if (!has) Reflect.deleteProperty(Navigator.prototype, "share");
      }, hasSheet);
      for (const address of addresses) {
        await visit(page, address);
        if (!hasJavaScript()) {
          await expect(share).toBeHidden();
          await expect(page.getByRole("main").getByRole("link", { name: address })).toBeVisible();
          continue;
        }
        await share.click();
        if (hasSheet) {
          const readShared = () => page.evaluate(() => (window as unknown as { shared: ShareData[] }).shared);
          await expect.poll(readShared).toEqual([{ title: expect.any(String), url: address }]);
        } else {
          await expectToast(page, "success", "Link copied");
          expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
        }
      }
    }
  });

  test("A link is copied if the share sheet can't open, but not if the player closes it", async ({ page, app }) => {
    test.skip(!hasJavaScript(), "Without JavaScript, the link is shown.");
    await signInQuietly(page, await newPlayer(app));
    const post = await createPost(page, app, { title: `Share me ${unique()}` });
    const fail = (name: string) =>
      page.addInitScript((error) => {
        Object.assign(window, { tries: 0 });
        Object.defineProperty(Navigator.prototype, "share", {
          configurable: true,
          value: async () => {
            Object.assign(window, { tries: 1 });
            throw new DOMException("No", error);
          },
        });
      }, name);
    const share = page.getByRole("main").getByRole("button", { name: "Share", exact: true });
    await fail("AbortError");
    await visit(page, post);
    await page.evaluate(() => navigator.clipboard.writeText("something else"));
    await share.click();
    await expect.poll(() => page.evaluate(() => (window as unknown as { tries: number }).tries)).toBe(1);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("something else");
    await fail("NotAllowedError");
    await visit(page, post);
    await share.click();
    await expectToast(page, "success", "Link copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(app.url + post);
  });

  test.describe("after its script could not be loaded", () => {
    test.use({ expectedErrors: [/net::ERR_FAILED/] });

    test("says where the link can be copied", async ({ page, app }) => {
      test.skip(!hasJavaScript(), "Without JavaScript, the link is shown.");
      await signInQuietly(page, await newPlayer(app));
      const post = await createPost(page, app, { title: `Share me ${unique()}` });
      await page.route(/share\.client/, (route) => route.abort());
      await visit(page, post);
      await page.getByRole("main").getByRole("button", { name: "Share", exact: true }).click();
      const hint = "Copy this page's address from your browser instead.";
      await expectToast(page, "error", "The link couldn't be copied", hint);
    });
  });
});
