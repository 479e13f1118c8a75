import { randomUUID } from "node:crypto";
import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { uuidv7 } from "../../db/ids";
import { type profiles, totpFactors, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { type Account, type AccountFields, addAccount } from "../support/accounts";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, setZoneCookie, signInAs, visit } from "../support/e2e";
import { authenticatorCode, SHOWN_SECRET } from "../support/totp";

/** Letters and digits that no other test uses, for email addresses, game names and titles. */
export const unique = () => randomUUID().replaceAll("-", "").slice(0, 8);

/** Checks a radio or a checkbox as a player does: by its label, which covers the control. */
export async function choose(box: Locator): Promise<void> {
  await labelOf(box).click();
  await expect(box).toBeChecked();
}

/** Unchecks a checkbox by its label, which covers it. */
export async function uncheck(box: Locator): Promise<void> {
  await labelOf(box).click();
  await expect(box).not.toBeChecked();
}

const labelOf = (box: Locator) => box.locator("xpath=ancestor::label");

/** Makes a confirmed account directly in the database, for tests that are not about signing up. */
export const newAccount = (
  app: App,
  { email = `test-${unique()}@example.com`, ...account }: AccountFields = {},
): Promise<Account> => addAccount(openTestDatabase(app), { email, ...account });

/** Makes an account as `newAccount` does. @returns its email address, which is all that a sign-in needs */
export const newPlayer = async (app: App, account?: AccountFields): Promise<string> =>
  (await newAccount(app, account)).email;

/** The profile of a player who may play in tournaments: a verified Riot account that nobody else has, and a rank. */
export const verifiedProfile = (riotGameName: string): Partial<typeof profiles.$inferInsert> => ({
  riotGameName,
  riotId: `${riotGameName}#ONE`,
  riotPuuid: uuidv7(),
  riotVerifiedAt: new Date(),
  currentRank: "Gold 2",
});

/**
 * Signs in as on a return visit: without the toast, and with the browser's time zone known. (A first visit loads the
 * page twice, the second time with times in the browser's zone.)
 */
export async function signInQuietly(page: Page, email: string): Promise<void> {
  await signInAs(page, email);
  await page.context().clearCookies({ name: "lineup_toast" });
  if (hasJavaScript()) await setZoneCookie(page);
}

/** A player, and the name that others see. */
export interface NamedAccount extends Account {
  name: string;
}

/** Makes a player with this game name and signs them in on the page. */
export async function signInNewPlayer(page: Page, app: App, name: string): Promise<NamedAccount> {
  const account = await newAccount(app, { riotGameName: name });
  await signInQuietly(page, account.email);
  return { ...account, name };
}

/**
 * Signs a new moderator or admin in. Stores the second factor only after that, so the browser isn't asked for it.
 * @returns the account's id
 */
export async function signInModerator(
  page: Page,
  app: App,
  role: "moderator" | "admin" = "moderator",
): Promise<string> {
  const db = openTestDatabase(app);
  const { id } = await signInNewPlayer(page, app, `Mod ${unique()}`);
  const at = new Date();
  await db.batch([
    db.update(users).set({ role }).where(eq(users.id, id)),
    db.insert(totpFactors).values({ userId: id, secret: "none", createdAt: at, confirmedAt: at }),
  ]);
  return id;
}

interface PostFields {
  title: string;
  message?: string;
  neededPlayers?: string;
  requiredRank?: string;
  requiredRole?: string;
  region?: string;
}

/**
 * Creates a post as the player who is signed in on a page, without clicking through the form.
 * @returns the post's address
 */
export async function createPost(page: Page, app: App, fields: PostFields): Promise<string> {
  const id = uuidv7();
  const response = await page.request.post("/dashboard/lfg/new", {
    form: { id, neededPlayers: "1", ...fields },
    headers: { Origin: app.url },
    maxRedirects: 0,
  });
  expect(response.status(), "creating a post").toBe(303);
  await page.context().clearCookies({ name: "lineup_toast" });
  return `/lfg/${id}`;
}

/** Answers a post through its dialog. */
export async function contact(page: Page, post: string, message: string): Promise<void> {
  await visit(page, `${post}/contact`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Message" }).fill(message);
  await dialog.getByRole("button", { name: "Send Message" }).click();
  await expectToast(page, "success", "Message sent!", "Check the Messages tab to continue the conversation.");
}

/** A post in the list, by its title. */
export const cardOf = (page: Page, title: string): Locator =>
  page.getByRole("article").filter({ has: page.getByRole("link", { name: title, exact: true }) });

/** The LFG list's filter form. */
export const filtersOf = (page: Page) => page.getByRole("form", { name: "Filter posts" });

/** Expects exactly one toast with exactly this title and text. */
export async function expectToast(page: Page, kind: "success" | "error", title: string, text?: string): Promise<void> {
  // A box on the page may have the same role and text, so look for `.toast-card`.
  let toast = page
    .locator(".toast-card")
    .and(page.getByRole(kind === "success" ? "status" : "alert"))
    .filter({ has: page.getByText(title, { exact: true }) });
  if (text !== undefined) toast = toast.filter({ has: page.getByText(text, { exact: true }) });
  await expect(toast).toHaveCount(1);
  await expect(toast).toBeVisible();
}

/** Expects an element, or the box around it, to be in the page without being seen. */
export const expectForScreenReaders = (locator: Locator): Promise<void> =>
  expect
    .poll(() => locator.evaluate((card) => (card.closest(".sr-only") ?? card).getBoundingClientRect().width))
    .toBeLessThanOrEqual(1);

/** Fills in the text boxes of the sign-in, or of the sign-up's first step. */
export async function fillCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Email" }).fill(email);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
}

/** Fills in the second step of the sign-up. */
export async function fillRiotAccount(page: Page, gameName: string, tag: string, region?: string): Promise<void> {
  await page.getByRole("textbox", { name: "Game Name" }).fill(gameName);
  await page.getByRole("textbox", { name: "Tag" }).fill(tag);
  if (region) await page.getByRole("combobox", { name: "Region" }).selectOption(region);
}

/** The box that names the Riot account that was found. */
export const verifiedBox = (page: Page) =>
  page.getByRole("status").filter({ has: page.getByText("Account Verified!", { exact: true }) });

/** Completes the first step of the sign-up and waits for the second. */
export async function beginSignUp(page: Page, email: string, password: string): Promise<void> {
  await fillCredentials(page, email, password);
  await page.getByRole("button", { name: "Next: Verify Riot Account" }).click();
  await expect(page).toHaveURL(/step=2/);
}

/** Starts setting up two-factor on its settings page. @returns the secret for the authenticator */
export async function setUpTwoFactor(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Set Up Two-Factor" }).click();
  await expect(page.getByRole("img", { name: /^QR code/ })).toBeVisible();
  return (await page.getByText(SHOWN_SECRET).textContent()) ?? "";
}

/** Turns two-factor on with a code for the secret. @returns the recovery codes that the page then shows */
export async function turnOnTwoFactor(page: Page, secret: string): Promise<string[]> {
  await page.getByRole("textbox", { name: "Code", exact: true }).fill(authenticatorCode(secret));
  await page.getByRole("button", { name: "Turn On" }).click();
  const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
  await expect(codes).toHaveCount(10);
  return codes.allTextContents();
}

/** Opens the page that lists the events of `useAuth`, in a new tab. */
export async function openEventsTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await visit(tab, "/dev/session");
  return tab;
}

/** The events listed on the page of `openEventsTab`. */
export const eventsOf = (tab: Page): Locator => tab.getByRole("list", { name: "Events" }).getByRole("listitem");

/** Presses Tab until an element has the focus, as a player without a mouse does, at most once through the page. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const stops = await page.locator("a[href], button, input, select, textarea, summary, [tabindex]").count();
  // The browser's own controls take the focus between the page's end and its beginning.
  for (let presses = 0; presses < stops + 5; presses += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target}.`);
}

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Expects no content to overflow the window's width, or an `article`, `aside` or `dialog` on the page. */
export async function expectNoOverflow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} px of ${clientWidth}`] : [];
    for (const box of document.querySelectorAll("article, aside, dialog")) {
      const edge = box.getBoundingClientRect().right;
      // A quiet button's text ends at the edge, so its invisible padding reaches beyond.
      const outside = [...box.querySelectorAll(":not(.btn[data-variant=quiet])")].find(
        (part) => part.getBoundingClientRect().right > edge + 0.5,
      );
      if (outside) found.push(`${box.localName}, ${outside.localName}: ${outside.textContent?.slice(0, 60)}`);
    }
    return found;
  });
  expect(wide, `what is too wide on ${page.url()} at ${page.viewportSize()?.width} pixels`).toEqual([]);
}

/** Holds back requests that match a pattern. @returns a function that releases them */
export async function holdRequests(page: Page, pattern: RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(pattern, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Hides a page's tab, or shows it again, as if the player switched to another one. */
export const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
