import { expect, hasJavaScript, signInAs, test, visit } from "../support/e2e";
import { createPost, expectForScreenReaders, expectToast, newPlayer, signInQuietly, unique } from "./steps";

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("A toast is below the header, and a tap closes it", async ({ page, app }) => {
    await signInAs(page, await newPlayer(app));
    await visit(page, "/dashboard");
    await expectToast(page, "success", "Welcome back!");
    const toast = page.locator(".toast-card");
    const bottom = await page.getByRole("banner").evaluate((header) => header.getBoundingClientRect().bottom);
    await expect.poll(async () => (await toast.boundingBox())?.y ?? 0).toBeGreaterThan(bottom);
    if (!hasJavaScript()) return;
    await expect(page.locator("[data-sonner-toast]")).toHaveAttribute("data-mounted", "true");
    await toast.tap();
    // Otherwise it would stay for five seconds.
    await expect(toast).toHaveCount(0, { timeout: 3_000 });
  });

  test("A new toast replaces the previous one, so that the two don't cover the page", async ({ page, app }) => {
    test.skip(!hasJavaScript(), "Without JavaScript, each page shows one toast.");
    await signInAs(page, await newPlayer(app));
    await visit(page, "/dashboard/settings/who-can-message");
    await expect(page.locator("[data-sonner-toast]")).toHaveAttribute("data-mounted", "true");
    await page.getByRole("radio").last().check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(2);
    await expect(page.locator("[data-sonner-toast][data-visible=true]")).toHaveCount(1);
  });

  test("A swipe closes a toast", async ({ page, app }) => {
    test.skip(!hasJavaScript(), "Without JavaScript, toasts scroll away with the page.");
    await signInAs(page, await newPlayer(app));
    await visit(page, "/dashboard");
    const toast = page.locator("[data-sonner-toast]");
    await expect(toast).toHaveAttribute("data-mounted", "true");
    const { x, y, width, height } = (await toast.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 - 150, y + height / 2, { steps: 5 });
    await page.mouse.up();
    await expect(toast).toHaveCount(0, { timeout: 3_000 });
  });
});

test("If the form's summary shows the error, the toast is only for screen readers", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  await visit(page, "/dashboard/lfg/new");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Title" }).fill(" ");
  await dialog.evaluate((element) => element.querySelector("form")?.setAttribute("novalidate", ""));
  await dialog.getByRole("button", { name: "Create Post" }).click();
  await expect(dialog.locator(".error-summary")).toBeVisible();
  await expectToast(page, "error", "Error creating post");
  const toast = page.locator(".toast-card");
  await expectForScreenReaders(toast);
  await expect(toast.getByRole("button")).toHaveCount(0);
});

test("An error toast disappears when the player leaves its page", async ({ page, app }) => {
  await signInQuietly(page, await newPlayer(app));
  const post = await createPost(page, app, { title: `Full house ${unique()}` });
  // The button below is refused, because the post was only just listed.
  await visit(page, post);
  const form = `<form method="post" action="${post}"><input name="intent" value="bump"><button>Bump it</button></form>`;
  await page.locator("main").evaluate((main, html) => main.insertAdjacentHTML("beforeend", html), form);
  await page.getByRole("button", { name: "Bump it" }).click();
  const toast = page.locator(".toast-card[data-kind=error]");
  await expect(toast).toHaveCount(1);
  await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Players" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Players" })).toBeVisible();
  await expect(toast).toHaveCount(0);
  // Without JavaScript, going back would send the form again.
  if (!hasJavaScript()) return;
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Full house");
  await expect(toast).toHaveCount(0);
});
