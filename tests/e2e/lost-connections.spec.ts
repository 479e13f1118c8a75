import { and, eq } from "drizzle-orm";
import { messages } from "../../db/schema";
import { addBlock, addConversation } from "../integration/players";
import { openTestDatabase } from "../support/database";
import { expect, test, visit } from "../support/e2e";
import { hidingIn } from "../support/hiding";
import {
  composer,
  conversations,
  signInTwoPlayers,
  startConversation,
  startLongConversation,
  thread,
  waitForLive,
  write,
} from "./conversations";
import { cutConnections, holdRoomMessages, loseFrames } from "./sockets";

test.skip(({ javaScriptEnabled }) => javaScriptEnabled === false, "Without JavaScript a page has no socket.");

test("Messages missed while the connection was lost appear when it is back, once and in order", async ({
  page,
  app,
  anotherPage,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  let cut: (() => void) | undefined;
  let isCut = false;
  await page.routeWebSocket(/\/parties\/conversation\//, async (socket) => {
    if (isCut) {
      // Connecting takes a while, as on a bad network.
      await new Promise((resolve) => setTimeout(resolve, 700));
      return socket.close({ code: 1011 });
    }
    socket.connectToServer();
    cut = () => void socket.close({ code: 1011 });
  });
  await visit(page, address);
  await waitForLive(page);
  isCut = true;
  cut?.();
  for (const words of ["Not connected", "Connecting…", "Not connected"]) {
    await expect(page.getByText(words)).toBeVisible();
  }
  await visit(other, address);
  for (const line of ["one", "two", "three"]) await write(other, line);
  await expect(thread(other).getByText("Sending")).toHaveCount(0);
  isCut = false;
  await waitForLive(page);
  await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "one", "two", "three"]);
});

test("A block made while the connection is lost shows after reconnecting", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const { players, address } = await startConversation(other, page, app);
  const connection = await cutConnections(page, /\/parties\/conversation\//);
  await visit(page, address);
  await waitForLive(page);
  connection.cut();
  await expect(page.getByText("Not connected")).toBeVisible();
  const [blocker, blocked] = players;
  await addBlock({ db: openTestDatabase(app) }, blocker, blocked);
  await expect(composer(page)).toBeVisible();
  connection.restore();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(composer(page)).toHaveCount(0);
});

test("A conversation whose connection is back reloads at a moment of its own, not with all others", async ({
  page,
  app,
  anotherPage,
}) => {
  const { address } = await startConversation(await anotherPage(), page, app);
  const connection = await cutConnections(page, /\/parties\/conversation\//);
  let reloads = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === `${address}.data`) reloads += 1;
  });
  await page.clock.install();
  await visit(page, address);
  await waitForLive(page);
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await page.evaluate(() => {
    Math.random = () => 0.5;
  });
  connection.cut();
  await expect(page.getByText("Not connected")).toBeVisible();
  connection.restore();
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.clock.runFor(100);
  await waitForLive(page);
  await page.clock.runFor(1_000);
  await page.evaluate(() => undefined);
  expect(reloads).toBe(0);
  await page.clock.runFor(2_000);
  await expect.poll(() => reloads).toBe(1);
});

test("A message hidden while the connection is lost is gone after reconnecting, however old it is", async ({
  page,
  app,
  anotherPage,
}) => {
  const address = await startLongConversation(page, await anotherPage(), app);
  const connection = await cutConnections(page, /\/parties\/conversation\//);
  await visit(page, address);
  await page.getByRole("link", { name: "Older messages" }).click();
  const old = thread(page).getByText("Number 30", { exact: true });
  await expect(old).toBeAttached();
  const shown = thread(page).locator("[data-message]");
  await expect(shown).toHaveCount(100);
  await waitForLive(page);
  connection.cut();
  await expect(page.getByText("Not connected")).toBeVisible();
  const isOld = and(
    eq(messages.conversationId, address.split("/").at(-1) as string),
    eq(messages.content, "Number 30"),
  );
  const [row] = await openTestDatabase(app).select({ id: messages.id }).from(messages).where(isOld);
  await hidingIn(app).hide({ kind: "message", id: row?.id as string });
  await expect(old).toBeAttached();
  connection.restore();
  // The next attempt may be ten seconds away, but the page makes one when the browser says that it is online.
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await expect(old).toHaveCount(0);
  // The other messages that the reader had loaded stay.
  await expect(thread(page).getByText("Message removed by moderators")).toBeAttached();
  await expect(shown).toHaveCount(100);
});

test("A message hidden in the moment in which it arrives doesn't stay readable", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  const deliverAtOnce = await holdRoomMessages(page);
  await visit(page, address);
  await waitForLive(page);
  await visit(other, address);
  await write(other, "Rude words");
  await expect(thread(other).getByText("Sending")).toHaveCount(0);
  const [row] = await openTestDatabase(app)
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.conversationId, address.split("/").at(-1) as string), eq(messages.content, "Rude words")));
  await hidingIn(app).hide({ kind: "message", id: row?.id as string });
  await deliverAtOnce(2);
  await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "Message removed by moderators"]);
});

test("The list shows what the player wrote elsewhere while the connection was lost", async ({
  page,
  app,
  anotherPage,
}) => {
  const { address } = await startConversation(await anotherPage(), page, app);
  const connection = await cutConnections(page, /\/parties\/inbox/);
  await visit(page, "/dashboard/messages");
  await expect(conversations(page)).toContainText("Hello there!");
  await connection.opened;
  connection.cut();
  const form = { id: crypto.randomUUID(), message: "From my phone" };
  const sent = await page.request.post(address, { form, headers: { Origin: app.url }, maxRedirects: 0 });
  expect(sent.status()).toBe(303);
  connection.restore();
  await expect(conversations(page)).toContainText("From my phone");
});

test("The list asks again for a new message if it couldn't be loaded at first", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  await visit(page, "/dashboard/messages");
  let asked = 0;
  await page.route(/\/conversations(\?|$)/, (route) => {
    asked += 1;
    return asked === 1 ? route.fulfill({ status: 503, contentType: "text/plain", body: "" }) : route.continue();
  });
  await visit(other, address);
  await write(other, "Did this arrive?");
  await expect(conversations(page)).toContainText("Did this arrive?");
  expect(asked).toBeGreaterThan(1);
});

test("A first message that the room didn't deliver appears with the next one", async ({ page, app, anotherPage }) => {
  const other = await anotherPage();
  const [one, two] = await signInTwoPlayers(page, other, app);
  // Nobody has written yet, as in a new team's chat.
  const address = `/dashboard/messages/${await addConversation({ db: openTestDatabase(app) }, one, two)}`;
  await loseFrames(page, /"seq":1\b/);
  await visit(page, address);
  await waitForLive(page);
  await visit(other, address);
  for (const line of ["one", "two"]) await write(other, line);
  await expect(thread(page).locator("[data-message]")).toHaveText(["one", "two"]);
});

test("A read mark that was lost with its connection is sent again over the next one", async ({
  page,
  app,
  anotherPage,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  let connections = 0;
  let lost = 0;
  let cut: (() => void) | undefined;
  await page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
    connections += 1;
    const isFirst = connections === 1;
    const room = socket.connectToServer();
    socket.onMessage((frame) => {
      if (isFirst && /"type":"read"/.test(String(frame))) lost += 1;
      else room.send(frame);
    });
    cut ??= () => void socket.close({ code: 1011 });
  });
  await visit(page, address);
  await waitForLive(page);
  await visit(other, address);
  await waitForLive(other);
  await write(other, "Yes, I am.");
  await expect(thread(page).locator("[data-message]").last()).toContainText("Yes, I am.");
  await expect.poll(() => lost).toBeGreaterThan(0);
  await expect(thread(other).getByText("Seen")).toHaveCount(0);
  cut?.();
  await expect(thread(other).getByText("Seen")).toBeVisible();
});

test("A connection that has fallen silent is replaced ten seconds after a heartbeat", async ({
  page,
  app,
  anotherPage,
}) => {
  const other = await anotherPage();
  const { address } = await startConversation(other, page, app);
  let [connections, answered] = [0, 0];
  let isSilent = false;
  await page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
    connections += 1;
    const own = connections;
    socket.connectToServer().onMessage((frame) => {
      if (own === 1 && isSilent) return;
      if (frame === "pong") answered += 1;
      socket.send(frame);
    });
  });
  await page.clock.install();
  await visit(page, address);
  await waitForLive(page);
  await expect.poll(() => answered).toBe(1);
  await page.clock.fastForward(25_000);
  await expect.poll(() => answered).toBe(2);
  await page.clock.fastForward(10_000);
  isSilent = true;
  await page.clock.fastForward(15_000);
  await page.clock.fastForward(9_000);
  expect(connections).toBe(1);
  await page.clock.fastForward(1_000);
  await expect.poll(() => connections).toBe(2);
  await waitForLive(page);
});

test.describe("Offline", () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] });

  test("A lost message that can't be loaded at first appears as soon as it can", async ({ page, app, anotherPage }) => {
    const other = await anotherPage();
    const { address } = await startConversation(other, page, app);
    await loseFrames(page, /"seq":2\b/);
    await visit(page, address);
    await waitForLive(page);
    const asked = page.waitForRequest(/\?after=/);
    await page.route(/\?after=/, (route) => route.abort());
    await visit(other, address);
    for (const line of ["one", "two"]) await write(other, line);
    await asked;
    await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "two"]);
    await page.unroute(/\?after=/);
    await expect(thread(page).locator("[data-message]")).toHaveText(["Hello there!", "one", "two"]);
  });
});
