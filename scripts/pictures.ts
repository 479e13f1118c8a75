import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGS, findChromium } from "./local/browser";
import { ROOT } from "./local/build";
import { PASSWORD } from "./worlds";

/**
 * `npm run pictures -- ADDRESS`: takes new screenshots for the README (docs/images). ADDRESS is the URL of a running
 * `npm run preview -- --world demo`, by default http://localhost:8787.
 */
const address = process.argv[2] ?? "http://localhost:8787";

const browser = await chromium.launch({ executablePath: findChromium(), args: [...CHROMIUM_ARGS] });
const page = await browser.newPage({
  baseURL: address,
  viewport: { width: 1280, height: 800 },
  colorScheme: "dark",
  locale: "en-GB",
  timezoneId: "Europe/Berlin",
  reducedMotion: "reduce",
});

await take("landing", "/");

await page.goto("/auth");
await page.getByLabel("Email").fill("player1@example.com");
await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
await page.locator("main").getByRole("button", { name: "Sign In" }).click();
await page.waitForURL("**/dashboard");

await take("lfg", "/dashboard");
// Shows all players, not only those who fit the viewer's profile.
await page.goto("/dashboard/players");
await page.getByRole("link", { name: "Reset" }).click();
await page.waitForLoadState("networkidle");
await take("players", page.url());

await page.goto("/dashboard/messages");
const conversation = await page.locator("main a[href^='/dashboard/messages/']").first().getAttribute("href");
await take("chat", conversation ?? "/dashboard/messages");

await page.goto("/dashboard/tournaments");
const running = page.getByRole("article").filter({ hasText: "Live" }).first();
const tournament = await running.getByRole("link").first().getAttribute("href");
await take("bracket", tournament ?? "/dashboard/tournaments");

await browser.close();

/** Takes a screenshot of a page once its fonts are loaded, its rooms are connected and all toasts are gone. */
async function take(name: string, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(() => document.fonts.ready);
  await page.getByText("Connecting…").waitFor({ state: "hidden" });
  await page.locator("[data-sonner-toast]").first().waitFor({ state: "detached", timeout: 15_000 });
  await page.screenshot({ path: join(ROOT, "docs/images", `${name}.png`), animations: "disabled" });
  console.log(`docs/images/${name}.png`);
}
