import { expect, test } from "../support/e2e";
import { listenForLeaks } from "../support/leaks";

/*
 * Every browser test is checked for leaks (`tests/support/leaks.ts`). The tests in this file check that this works,
 * with pages that do leak.
 */
for (const { what, body } of [
  { what: "another player's address", body: "Write to player2@example.com" },
  { what: "an address written with HTML entities", body: "Write to player2&#64;example.com" },
  { what: "the hash of a password", body: '{"hash":"scrypt$16384$8$5$AAAA$BBBB"}' },
  { what: "a password", body: "password123" },
]) {
  test(`A page that leaks ${what} is caught`, async ({ app, browser }) => {
    const context = await browser.newContext();
    const expectNoLeaks = listenForLeaks(context, app);
    const page = await context.newPage();
    await page.route(`${app.url}/leak`, (route) => route.fulfill({ body, contentType: "text/html" }));
    await page.goto(`${app.url}/leak`);
    await expect(expectNoLeaks()).rejects.toThrow("leaks to this browser");
    await context.close();
  });
}
