import { PASSWORD } from "../../scripts/worlds";
import { expect, test, visit, waitForHydration } from "../support/e2e";
import { createPost, expectNoOverflow, fillCredentials, newPlayer, signInQuietly, unique } from "./steps";

test("A shared page's header leads visitors to an account and back to the page", async ({ page, anotherPage, app }) => {
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
