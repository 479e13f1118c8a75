import { expect, hasJavaScript, signInAs, test, visit } from "../support/e2e";
import {
  cardOf,
  createPost,
  expectNoOverflow,
  expectToast,
  filtersOf,
  newPlayer,
  signInQuietly,
  tabTo,
  unique,
} from "./steps";

test.describe("The dashboard", () => {
  test("The header shows the current page and the player", async ({ page }) => {
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard");
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Lineup" })).toHaveAttribute("href", "/dashboard");
    await expect(header.getByText("Beta", { exact: true })).toBeVisible();
    await expect(header.getByRole("link", { name: "Notifications" })).toBeVisible();
    await expect(header.getByText("player2", { exact: true })).toBeVisible();
    await expect(header.getByText("Verified", { exact: true })).toBeVisible();
    await expect(header.getByText("Online", { exact: true })).toBeVisible();
    await expect(header.getByRole("button", { name: "Sign Out" })).toBeVisible();
    // The picture with the email's first letter is decoration: visible, but hidden from screen readers.
    await expect(header.getByText("P", { exact: true }).filter({ visible: true })).toHaveCount(1);
    await expect(page.getByRole("heading", { level: 1, name: "Welcome back, player2" })).toBeVisible();
    await expect(page).toHaveTitle("LFG · Lineup");
  });

  test("Only a player whose Riot ID was found is called Verified", async ({ page }) => {
    await signInQuietly(page, "player11@example.com");
    await visit(page, "/dashboard");
    await expect(page.getByRole("banner").getByText("Online", { exact: true })).toBeVisible();
    await expect(page.getByRole("banner").getByText("Verified")).toHaveCount(0);
  });

  test("The five tabs are links, and each page has a heading of its own", async ({ page }) => {
    await signInQuietly(page, "player10@example.com");
    await visit(page, "/dashboard");
    const tabs = page.getByRole("navigation", { name: "Dashboard" });
    await expect(tabs.getByRole("link")).toHaveText(["LFG", "Tournaments", "Players", "Chat", "Profile"]);
    await expect(tabs.locator("[aria-current=page]")).toHaveText("LFG");
    const others = [
      { name: "Tournaments", address: "/dashboard/tournaments", says: "Host Tournament" },
      { name: "Players", address: "/dashboard/players", says: "Apply" },
      { name: "Chat", address: "/dashboard/messages", says: "No conversations yet." },
      { name: "Profile", address: "/dashboard/profile", says: "No feedback received yet." },
    ];
    for (const { name, address, says } of others) {
      await tabs.getByRole("link", { name }).click();
      // The directory starts with filters from the player's profile.
      await expect(page).toHaveURL(({ pathname }) => pathname === address);
      await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
      await expect(page).toHaveTitle(`${name} · Lineup`);
      await expect(tabs.locator("[aria-current=page]")).toHaveText(name);
      await expect(page.getByRole("main").getByText(says, { exact: true }).first()).toBeVisible();
      await expect(page.getByText("Welcome back, player10")).toBeVisible();
    }
    await page.getByRole("link", { name: "Notifications" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Notifications" })).toBeVisible();
    await expect(tabs.locator("[aria-current=page]")).toHaveCount(0);
    await tabs.getByRole("link", { name: "LFG" }).click();
    await expect(page).toHaveURL("/dashboard");
  });

  test("A verified player sees the Riot ID and its last sync", async ({ page }) => {
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard/profile");
    await expect(page.getByRole("definition").filter({ hasText: "Дмитрий Ковалёв#ENTRY" })).toBeVisible();
    await expect(page.getByText(/^Last sync/)).toBeVisible();
    for (const field of ["Game Name", "Tag"]) {
      await expect(page.getByRole("textbox", { name: field, exact: true })).toHaveCount(0);
    }
  });
});

test.describe("Outside of the dashboard", () => {
  test("The landing page explains Lineup and leads to the sign-in", async ({ page }) => {
    await visit(page, "/");
    await expect(page.getByRole("heading", { level: 1, name: "Find your fifth." })).toBeVisible();
    await expect(page.getByText("Beta Launch", { exact: true })).toBeVisible();
    for (const feature of ["Smart Matchmaking", "LFG Posts", "Direct Messaging", "Reputation"]) {
      await expect(page.getByRole("heading", { name: feature })).toBeVisible();
    }
    await expect(page.getByRole("heading", { name: "How It Works" })).toBeVisible();
    await expect(page.getByRole("list").getByRole("heading")).toHaveText([
      "Create Your Profile",
      "Find Teammates",
      "Start Playing",
    ]);
    for (const [name, href] of [
      ["Get Started", "/auth?tab=sign-up"],
      ["Sign In", "/auth"],
      ["Start Finding Teammates", "/auth?tab=sign-up"],
    ] as const) {
      await expect(page.getByRole("link", { name, exact: true })).toHaveAttribute("href", href);
    }
    const footer = page.getByRole("contentinfo");
    await expect(footer).toContainText("VALORANT community");
    await expect(footer).toContainText("© 2024–2026");
    await expect(footer).toContainText("Lineup isn't endorsed by Riot Games");
    await page.getByRole("link", { name: "Start Finding Teammates" }).click();
    await expect(page).toHaveURL("/auth?tab=sign-up");
  });

  test("An unknown address says so, links home, and is logged", async ({ page, app }) => {
    const address = `/no/such/page-${unique()}`;
    const response = await page.goto(address);
    expect(response?.status()).toBe(404);
    await expect(page).toHaveTitle("Page not found · Lineup");
    await expect(page.getByRole("heading", { level: 1, name: "Oops! Page not found" })).toBeVisible();
    const lines = app.logs.map(({ message }) => message).filter((message) => message.includes(address));
    expect(lines.some((line) => JSON.parse(line).level === "warn")).toBe(true);
    await page.getByRole("link", { name: "Return to Home" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByRole("heading", { name: "Find your fifth." })).toBeVisible();
  });
});

test.describe("On a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("The tabs are a bar at the bottom, and the account menu is behind the avatar", async ({ page }) => {
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard");
    const bar = page.getByRole("navigation", { name: "Dashboard" });
    await expect(bar).toBeInViewport({ ratio: 1 });
    const box = await bar.boundingBox();
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844);
    for (const link of await bar.getByRole("link").all()) {
      expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    const signOut = page.getByRole("button", { name: "Sign Out" });
    await expect(signOut).toBeHidden();
    const menu = page.locator("summary").filter({ hasText: "Account menu" });
    await tabTo(page, menu);
    await page.keyboard.press("Enter");
    await expect(signOut).toBeVisible();
    await expect(page.getByText("player2", { exact: true })).toBeVisible();
    await expect(page.getByRole("banner").getByText("Online", { exact: true })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(signOut).toBeHidden();
    await page.keyboard.press("Enter");
    await tabTo(page, signOut);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/auth");
    await expectToast(page, "success", "Signed out");
  });

  test("The menu closes when the next page opens", async ({ page }) => {
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard");
    await page.locator("summary").filter({ hasText: "Account menu" }).click();
    await expect(page.getByRole("button", { name: "Sign Out" })).toBeVisible();
    await page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Chat" }).click();
    await expect(page).toHaveURL("/dashboard/messages");
    await expect(page.getByRole("button", { name: "Sign Out" })).toBeHidden();
  });

  test("The filters are behind a button, which shows the number of active filters", async ({ page }) => {
    await signInQuietly(page, "player2@example.com");
    await visit(page, "/dashboard");
    const rank = page.getByLabel("Rank", { exact: true });
    await expect(rank).toBeHidden();
    const filters = page.locator("summary").filter({ hasText: "Filters" });
    await filters.click();
    await rank.selectOption("Gold 1");
    await filtersOf(page).getByRole("button", { name: "Apply" }).click();
    await expect(page).toHaveURL(/rank=Gold\+1/);
    // The filters are collapsed again, so the posts come first.
    await expect(rank).toBeHidden();
    await expect(filters).toHaveText("Filters1");
    await filters.click();
    await expect(rank).toHaveValue("Gold 1");
  });
});

test("Every screen fits into 1280, 390 and 320 pixels, even with very long words", async ({ page, app }) => {
  const long = "W".repeat(40);
  const email = await newPlayer(app, {
    email: `${"w".repeat(50)}-${unique()}@example.com`,
    riotGameName: "W".repeat(16),
    riotId: `${"W".repeat(16)}#WWWWW`,
  });
  const expectNarrow = async (address: string) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(address);
    for (const width of [1280, 390, 320]) {
      await page.setViewportSize({ width, height: 700 });
      await expectNoOverflow(page);
    }
  };
  for (const address of ["/", "/auth", "/auth?tab=sign-up", "/no/such/page", "/dev/mailbox"]) {
    await expectNarrow(address);
  }
  await signInQuietly(page, email);
  const post = await createPost(page, app, {
    title: `${long}${long}${unique()}`,
    message: `${"M".repeat(300)}\nhttps://example.com/${"x".repeat(200)}`,
    neededPlayers: "4",
    requiredRank: "Ascendant 3",
    requiredRole: "Controller",
    region: "North America",
  });
  const inside = [
    "/dashboard",
    "/dashboard?rank=Gold+1&q=nothing-like-this",
    "/dashboard/lfg/new",
    "/dashboard/tournaments",
    "/dashboard/messages",
    "/dashboard/profile",
    "/dashboard/notifications",
    post,
    `${post}/edit`,
    `${post}/delete`,
  ];
  for (const address of inside) await expectNarrow(address);
});

test("A player does everything by keyboard: signs in, posts, closes a dialog, filters, signs out", async ({
  page,
  app,
}) => {
  const email = await newPlayer(app);
  const title = `Keys only ${unique()}`;
  const { keyboard } = page;
  await visit(page, "/auth");
  await tabTo(page, page.getByRole("textbox", { name: "Email" }));
  await keyboard.type(email);
  await tabTo(page, page.getByRole("textbox", { name: "Password" }));
  await keyboard.type("password123");
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");

  await tabTo(page, page.getByRole("link", { name: "Create Post" }));
  await keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Create LFG Post" });
  await expect(dialog).toBeVisible();
  await tabTo(page, dialog.getByRole("textbox", { name: "Title" }));
  await keyboard.type(title);
  await tabTo(page, dialog.getByRole("radio", { name: "1", exact: true }));
  await keyboard.press("Space");
  await keyboard.press("ArrowRight");
  await expect(dialog.getByRole("radio", { name: "2", exact: true })).toBeChecked();
  await tabTo(page, dialog.getByRole("button", { name: "Create Post" }));
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard");
  await expect(cardOf(page, title)).toContainText("Needs 2 players");

  const create = page.getByRole("link", { name: "Create Post" });
  await tabTo(page, create);
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard/lfg/new");
  await expect(dialog).toBeVisible();
  if (hasJavaScript()) {
    await keyboard.press("Escape");
  } else {
    await tabTo(page, dialog.getByRole("link", { name: "Close" }));
    await keyboard.press("Enter");
  }
  await expect(page).toHaveURL("/dashboard");
  await expect(dialog).toHaveCount(0);
  if (hasJavaScript()) await expect(create).toBeFocused();

  const players = filtersOf(page).getByLabel("Players Needed");
  await tabTo(page, players);
  await keyboard.press("ArrowDown");
  await expect(players).toHaveValue("1");
  await tabTo(page, filtersOf(page).getByRole("button", { name: "Apply" }));
  await keyboard.press("Enter");
  await expect(page).toHaveURL(/players=1/);
  await expect(cardOf(page, title)).toHaveCount(0);

  await tabTo(page, page.getByRole("button", { name: "Sign Out" }));
  await keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");
});

test("A success toast lets clicks through to the elements it covers", async ({ page, app }) => {
  await signInAs(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await expectToast(page, "success", "Welcome back!");
  const box = await page.locator(".toast-card").boundingBox();
  const isReached = await page.evaluate(
    ([x, y]) => document.elementFromPoint(x, y)?.closest(".toast-card, [data-sonner-toast], .toast-region") === null,
    [(box?.x ?? 0) + 40, (box?.y ?? 0) + 20] as const,
  );
  expect(isReached).toBe(true);
});

test("A toast also stays for players who prefer reduced motion", async ({ page, app }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await signInAs(page, await newPlayer(app));
  await visit(page, "/dashboard");
  await expectToast(page, "success", "Welcome back!");
  // With JavaScript, a script closes it.
  const delay = hasJavaScript() ? "0s" : "12s";
  await expect(page.locator(".toast-card")).toHaveCSS("animation-delay", delay);
});
