import { expect, test, visit, waitForHydration } from "../support/e2e";
import { createPost, newPlayer, signInQuietly, unique } from "./steps";

test("Each page sets its title, canonical address and robots tag", async ({ page, app }) => {
  const canonical = page.locator("link[rel=canonical]");
  const robots = page.locator("meta[name=robots]");
  await visit(page, "/");
  await expect(page).toHaveTitle("Lineup: find your fifth");
  await expect(canonical).toHaveAttribute("href", `${app.url}/`);

  await page.getByRole("link", { name: "Get Started" }).click();
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
