import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { lfgPosts, sessions, users } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, setZoneCookie, test, visit } from "../support/e2e";
import { addSession } from "../support/played";
import { composer, startConversation, thread, waitForLive, write } from "./conversations";
import {
  contact,
  createPost,
  eventsOf,
  fillCredentials,
  newAccount,
  newPlayer,
  openEventsTab,
  setHidden,
  signInQuietly,
  unique,
} from "./steps";

test.skip(
  ({ javaScriptEnabled }) => javaScriptEnabled === false,
  "Without JavaScript, an open page doesn't learn of events.",
);

const password = "password123";
const nameOf = (email: string) => email.split("@")[0] as string;

/** Signs in through the form, as a player does. */
async function signInByForm(page: Page, email: string): Promise<void> {
  await visit(page, "/auth");
  await fillCredentials(page, email, password);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: `Welcome back, ${nameOf(email)}` })).toBeVisible();
}

test("For each sign-in and sign-out in another tab, a tab receives one event that says who is signed in", async ({
  page,
  app,
}) => {
  const email = await newPlayer(app);
  const tab = await openEventsTab(page);
  await expect(eventsOf(tab)).toHaveText(["INITIAL_SESSION nobody"]);
  await signInByForm(page, email);
  const signedIn = ["INITIAL_SESSION nobody", `SIGNED_IN ${nameOf(email)}`];
  await expect(eventsOf(tab)).toHaveText(signedIn);
  await expect(tab.getByText(`Signed in: ${nameOf(email)}`)).toBeVisible();
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(page).toHaveURL("/auth");
  await expect(eventsOf(tab)).toHaveText([...signedIn, "SIGNED_OUT nobody"]);
  await expect(tab.getByText("Signed in: nobody")).toBeVisible();
  // A page that is loaded later doesn't receive the events again.
  await tab.reload();
  await expect(eventsOf(tab)).toHaveText(["INITIAL_SESSION nobody"]);
});

test("The tab that causes an event receives it, too", async ({ page, app, context }) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, "/dev/session");
  await expect(eventsOf(page)).toHaveText([`INITIAL_SESSION ${nameOf(email)}`]);
  await context.addCookies([{ name: "lineup_event", value: "USER_UPDATED%2CMFA_CHALLENGE_VERIFIED", url: app.url }]);
  await visit(page, "/dev/session");
  const name = nameOf(email);
  await expect(eventsOf(page)).toHaveText([
    `INITIAL_SESSION ${name}`,
    `USER_UPDATED ${name}`,
    `MFA_CHALLENGE_VERIFIED ${name}`,
  ]);
});

for (const event of ["USER_UPDATED", "PASSWORD_RECOVERY", "MFA_CHALLENGE_VERIFIED"]) {
  test(`${event} reaches the other tab, which shows the change`, async ({ page, app, context }) => {
    const { id, email } = await newAccount(app);
    await signInQuietly(page, email);
    await context.clearCookies({ name: "lineup_event" });
    const tab = await openEventsTab(page);
    await expect(eventsOf(tab)).toHaveText([`INITIAL_SESSION ${nameOf(email)}`]);
    const renamed = `new-${email}`;
    await openTestDatabase(app).update(users).set({ email: renamed }).where(eq(users.id, id));
    // The response to an account form leaves this cookie.
    await context.addCookies([{ name: "lineup_event", value: event, url: app.url }]);
    await visit(page, "/dashboard/profile");
    await expect(eventsOf(tab)).toHaveText([`INITIAL_SESSION ${nameOf(email)}`, `${event} ${nameOf(renamed)}`]);
    await expect(tab.getByText(`Signed in: ${nameOf(renamed)}`)).toBeVisible();
  });
}

test("A visit that renews the session sends TOKEN_REFRESHED", async ({ page, app, context }) => {
  const { id, email } = await newAccount(app);
  await signInQuietly(page, email);
  await context.clearCookies({ name: "lineup_event" });
  const tab = await openEventsTab(page);
  const soon = new Date(Date.now() + 24 * 60 * 60 * 1000);
  await openTestDatabase(app).update(sessions).set({ expiresAt: soon }).where(eq(sessions.userId, id));
  await visit(page, "/dashboard/profile");
  await expect(eventsOf(tab)).toHaveText([`INITIAL_SESSION ${nameOf(email)}`, `TOKEN_REFRESHED ${nameOf(email)}`]);
});

test("A dashboard tab follows another tab: it shows the sign-in form, then the next player's dashboard", async ({
  page,
  app,
}) => {
  const [one, other] = [await newPlayer(app), await newPlayer(app)];
  await signInQuietly(page, one);
  const tab = await page.context().newPage();
  await visit(tab, "/dashboard/profile");
  await visit(page, "/dashboard");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(tab.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await expect(tab).toHaveURL("/auth?redirectTo=%2Fdashboard%2Fprofile");
  await signInByForm(page, other);
  await expect(tab.getByText(`Welcome back, ${nameOf(other)}`)).toBeVisible();
});

test("A tab still gets its news when its player has signed in again in another tab", async ({
  page,
  app,
  anotherPage,
}) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  const post = await createPost(page, app, { title: `Signing in twice ${unique()}` });
  // Holds the end of the old session back until the browser has the new one: the two may come in any order.
  let signedInAgain = () => {};
  const newSession = new Promise<void>((resolve) => {
    signedInAgain = resolve;
  });
  let connections = 0;
  await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
    connections += 1;
    socket.connectToServer().onClose(async (code, reason) => {
      await newSession;
      await socket.close({ ...(code && { code }), ...(reason && { reason }) });
    });
  });
  await visit(page, "/dashboard/settings/appearance");
  await expect.poll(() => connections).toBe(1);
  const reload = page.waitForResponse((response) => response.url().includes(".data"));
  await signInQuietly(page, email);
  signedInAgain();
  await reload;
  const other = await anotherPage();
  await signInQuietly(other, await newPlayer(app));
  await contact(other, post, "Anybody there?");
  await expect(page).toHaveTitle("(1) Appearance · Lineup");
});

/** Lets another tab of the browser announce an event of the session, and waits until a third one has received it. */
async function announceElsewhere(page: Page, app: App): Promise<void> {
  const context = page.context();
  const witness = await openEventsTab(page);
  await context.addCookies([{ name: "lineup_event", value: "USER_UPDATED", url: app.url }]);
  await visit(await context.newPage(), "/dashboard");
  await expect(eventsOf(witness)).toContainText([/^INITIAL_SESSION/, /^USER_UPDATED/]);
}

/** Collects the requests that load a page's data, from now on. */
function watchLoads(page: Page): string[] {
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(".data")) loads.push(request.url());
  });
  return loads;
}

test("A review that is being written stays while another tab announces an event, which reaches the page later", async ({
  page,
  app,
  context,
}) => {
  const word = unique();
  const own = await newAccount(app, { riotGameName: `Ann ${word}` });
  const other = await newAccount(app, { riotGameName: `Ben ${word}` });
  await addSession(openTestDatabase(app), own, [other]);
  await signInQuietly(page, own.email);
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, `/players/${other.id}/feedback`);
  const dialog = page.getByRole("dialog", { name: "Feedback for" });
  const comment = dialog.getByRole("textbox", { name: "Comment" });
  await comment.fill("Waited for me twice.");
  const loads = watchLoads(page);
  await announceElsewhere(page, app);
  expect(loads).toEqual([]);
  await expect(comment).toHaveValue("Waited for me twice.");
  const reload = page.waitForResponse((response) => response.url().includes(".data"));
  await dialog.getByRole("link", { name: "Cancel" }).click();
  await reload;
});

test("A half-written message's dialog stays when its post closes and the session changes, and closes on sign-out", async ({
  page,
  anotherPage,
  app,
  context,
}) => {
  const author = await anotherPage();
  await signInQuietly(author, await newPlayer(app));
  const post = await createPost(author, app, { title: `Closing ${unique()}` });
  await signInQuietly(page, await newPlayer(app));
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, `${post}/contact`);
  const message = page.getByRole("dialog").getByRole("textbox", { name: "Message" });
  await message.fill("Half a");
  await openTestDatabase(app)
    .update(lfgPosts)
    .set({ isActive: false, closedAt: new Date() })
    .where(eq(lfgPosts.id, post.slice("/lfg/".length)));
  const loads = watchLoads(page);
  await announceElsewhere(page, app);
  expect(loads).toEqual([]);
  await expect(message).toHaveValue("Half a");

  const tab = await context.newPage();
  await visit(tab, "/dashboard");
  await tab.getByRole("button", { name: "Sign Out" }).click();
  await expect(message).toHaveCount(0);
});

test("A half-typed message isn't shown to the next player in the browser, even if both are in the same chat", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const { players, address } = await startConversation(await anotherPage(), page, app);
  const [next, author] = players;
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, address);
  await waitForLive(page);
  await composer(page).fill("Don't tell Ann, but");
  const reload = page.waitForResponse((response) => response.url().includes(".data"));
  await signInQuietly(page, next.email);
  await reload;
  await expect(page.getByRole("region", { name: `Conversation with ${author.name}` })).toBeVisible();
  await expect(composer(page)).toHaveValue("");
  await signInQuietly(page, author.email);
  await visit(page, address);
  await expect(composer(page)).toHaveValue("Don't tell Ann, but");
});

test("A hidden tab reloads after an event only once it is visible, so a message stays unread until it is seen", async ({
  page,
  app,
  anotherPage,
  context,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(page, other, app);
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, address);
  await waitForLive(page);
  await setHidden(page, true);
  await visit(other, address);
  await write(other, "Nobody has seen this.");
  await expect(thread(page)).toContainText("Nobody has seen this.");
  await expect(page).toHaveTitle(/^\(1\)/);
  const loads = watchLoads(page);
  await announceElsewhere(page, app);
  expect(loads).toEqual([]);
  await expect(page).toHaveTitle(/^\(1\)/);
  const reload = page.waitForResponse((response) => response.url().includes(".data"));
  await setHidden(page, false);
  await reload;
  await expect(page).not.toHaveTitle(/^\(1\)/);
});

test("A hidden tab reconnects after its player has signed in again, but reloads only once it is visible", async ({
  page,
  app,
}) => {
  const email = await newPlayer(app);
  await signInQuietly(page, email);
  let connections = 0;
  await page.routeWebSocket(/\/parties\/inbox/, (socket) => {
    connections += 1;
    socket.connectToServer();
  });
  await visit(page, "/dashboard/settings/appearance");
  await expect.poll(() => connections).toBe(1);
  await setHidden(page, true);
  const loads = watchLoads(page);
  await signInQuietly(page, email);
  await expect.poll(() => connections).toBe(2);
  expect(loads).toEqual([]);
  const reload = page.waitForResponse((response) => response.url().includes(".data"));
  await setHidden(page, false);
  await reload;
});

test("A hidden tab shows the sign-in at once when its player signs out in another tab", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const hidden = await page.context().newPage();
  await visit(hidden, "/dashboard/profile");
  await setHidden(hidden, true);
  await visit(page, "/dashboard");
  await page.getByRole("button", { name: "Sign Out" }).click();
  await expect(hidden.getByRole("heading", { name: "Welcome back" })).toBeVisible();
});

test("The question about leaving unsaved changes stays open while an event from another tab reloads the page", async ({
  page,
  app,
  context,
}) => {
  await signInQuietly(page, await newPlayer(app));
  await context.clearCookies({ name: "lineup_event" });
  await visit(page, "/dashboard/profile");
  const description = page.getByRole("textbox", { name: "Description" });
  await description.fill("Never saved.");
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Players" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toBeVisible();
  const reload = page.waitForResponse((response) => response.url().includes("/profile.data"));
  await announceElsewhere(page, app);
  await reload;
  await page.waitForFunction(() => window.__remixRouter.state.revalidation === "idle");
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(question).toHaveCount(0);
  await expect(description).toHaveValue("Never saved.");
});

test("A session that is ended on another device sends SIGNED_OUT with this browser's next request", async ({
  page,
  app,
}) => {
  const { id, email } = await newAccount(app);
  await signInQuietly(page, email);
  const tab = await openEventsTab(page);
  await visit(page, "/dashboard/profile");
  await openTestDatabase(app).delete(sessions).where(eq(sessions.userId, id));
  await page.getByRole("link", { name: "LFG" }).click();
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  await expect(eventsOf(tab).last()).toHaveText("SIGNED_OUT nobody");
});

test("An event waits for a page with JavaScript: the landing page doesn't consume it", async ({
  page,
  app,
  context,
}) => {
  // Without this cookie, `tab` may load its data again as soon as it knows the time zone, and consume the event itself.
  await setZoneCookie(page);
  const tab = await openEventsTab(page);
  await expect(eventsOf(tab)).toHaveText(["INITIAL_SESSION nobody"]);
  await context.addCookies([{ name: "lineup_event", value: "SIGNED_OUT", url: app.url }]);
  await page.goto("/");
  await expect(page.getByRole("link", { name: "Get Started" }).first()).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toContain("lineup_event");
  await visit(page, "/auth");
  await expect(eventsOf(tab)).toHaveText(["INITIAL_SESSION nobody", "SIGNED_OUT nobody"]);
  await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).not.toContain("lineup_event");
});
