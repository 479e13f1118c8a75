import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { HOUR, MINUTE } from "../../app/platform/dates/durations";
import { tournamentMatches, tournaments, tournamentTeams } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import { openTestDatabase } from "../support/database";
import { expect, hasJavaScript, test, waitForHydration } from "../support/e2e";
import { newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

/** A visitor with or without JavaScript. In scenarios with JavaScript, every other captain goes without it. */
interface Visitor {
  page: Page;
  name: string;
  /** Opens an address and waits until the page is hydrated (with JavaScript). */
  open(path: string): Promise<void>;
}

function visitor(page: Page, name: string, withScript: boolean): Visitor {
  return {
    page,
    name,
    async open(path) {
      await page.goto(path);
      if (withScript) await waitForHydration(page);
    },
  };
}

/** A `datetime-local` value in UTC, which is the zone of players who haven't chosen one. */
const local = (date: Date) => date.toISOString().slice(0, 16);

/** Sets the tournament's dates so that registration is over and check-in is open. */
async function openCheckIn(app: App, id: string): Promise<void> {
  const now = Date.now();
  await openTestDatabase(app)
    .update(tournaments)
    .set({
      registrationDeadline: new Date(now - HOUR),
      tournamentDate: new Date(now + 20 * MINUTE),
      version: sql`version + 1`,
    })
    .where(eq(tournaments.id, id));
}

test("Eight captains play a hosted tournament to its winner, with a dispute, a forfeit and a reopened match", async ({
  page,
  anotherPage,
  app,
}) => {
  test.setTimeout(420_000);
  const word = unique();
  const title = `Cup of ${word}`;
  const host = visitor(page, `Host ${word}`, hasJavaScript());
  await signInQuietly(page, await newPlayer(app, verifiedProfile(host.name)));

  await test.step("the host announces it", async () => {
    await host.open("/dashboard/tournaments");
    await page.getByRole("link", { name: "Host Tournament" }).click();
    const dialog = page.getByRole("dialog", { name: "Host Tournament" });
    await expect(dialog).toBeVisible();
    if (hasJavaScript()) await waitForHydration(page);
    await dialog.getByRole("textbox", { name: "Title" }).fill(title);
    await dialog.getByRole("textbox", { name: "Description" }).fill("Eight of us, one map each.");
    await dialog.getByLabel("Entry Fee").fill("0");
    await dialog.getByLabel("Prize Pool").fill("0");
    await dialog.getByLabel("Max Participants").fill("8");
    await dialog.getByLabel("Team Size").selectOption("1");
    await dialog.getByLabel("Tournament Date").fill(local(new Date(Date.now() + 48 * HOUR)));
    await dialog.getByLabel("Registration Deadline").fill(local(new Date(Date.now() + 24 * HOUR)));
    await dialog.getByRole("button", { name: "Create Tournament" }).click();
    await expect(page.getByText("Your tournament has been posted successfully.").first()).toBeVisible();
  });
  const row = await openTestDatabase(app).select().from(tournaments).where(eq(tournaments.title, title)).get();
  const home = `/tournaments/${row?.id}`;
  const tournamentId = row?.id as string;

  const captains = new Map<string, Visitor>();
  await test.step("eight captains register, every other one without JavaScript", async () => {
    for (let number = 1; number <= 8; number += 1) {
      const withScript = hasJavaScript() && number % 2 === 1;
      const captain = visitor(
        await anotherPage({ javaScriptEnabled: withScript }),
        `Captain ${number} ${word}`,
        withScript,
      );
      await signInQuietly(captain.page, await newPlayer(app, verifiedProfile(captain.name)));
      await captain.open(home);
      await captain.page.getByRole("link", { name: "Register", exact: true }).click();
      const dialog = captain.page.getByRole("dialog", { name: "Register" });
      await dialog.getByRole("button", { name: "Register" }).click();
      await expect(captain.page.getByRole("region", { name: "Your spot" }).getByText("You, registered.")).toBeVisible();
      captains.set(captain.name, captain);
    }
  });

  await test.step("they check in, and the host draws the bracket", async () => {
    await openCheckIn(app, tournamentId);
    for (const captain of captains.values()) {
      await captain.open(home);
      await captain.page.getByRole("button", { name: "Check In" }).click();
      await expect(captain.page.getByText("You've checked in.")).toBeVisible();
    }
    await host.open(`${home}/seeding`);
    await page.getByRole("link", { name: "Start Tournament" }).click();
    const dialog = page.getByRole("dialog", { name: "Start Tournament" });
    await dialog.getByRole("button", { name: "Start Tournament" }).click();
    await expect(page.getByRole("heading", { name: "Quarter-finals" })).toBeVisible();
  });

  /** The visitors who play a match, according to the database. */
  const sidesOf = async (match: number): Promise<[Visitor, Visitor]> => {
    const db = openTestDatabase(app);
    const [found] = await db
      .select({ one: tournamentMatches.team1, two: tournamentMatches.team2 })
      .from(tournamentMatches)
      .where(sql`${tournamentMatches.tournamentId} = ${tournamentId} AND ${tournamentMatches.id} = ${match}`);
    const teams = await db.select().from(tournamentTeams).where(eq(tournamentTeams.tournamentId, tournamentId));
    return [found?.one, found?.two].map(
      (id) => captains.get(teams.find((team) => team.id === id)?.name ?? "") as Visitor,
    ) as [Visitor, Visitor];
  };
  const report = async ({ page: at, open }: Visitor, match: number, [own, theirs]: [number, number], maps = 1) => {
    await open(`${home}/matches/${match}`);
    for (let map = 1; map <= maps; map += 1) {
      await at.getByRole("spinbutton", { name: `You, map ${map}` }).fill(String(own));
      await at.getByRole("spinbutton", { name: `Them, map ${map}` }).fill(String(theirs));
    }
    await at.getByRole("button", { name: "Report Score" }).click();
    await expect(at.getByRole("button", { name: "Update Report" })).toBeVisible();
  };
  /** Has the winner report the score and the loser confirm it. */
  const win = async (match: number, winner: Visitor, loser: Visitor, maps = 1) => {
    await report(winner, match, [13, 8], maps);
    await loser.open(`${home}/matches/${match}`);
    await loser.page.getByRole("button", { name: "Confirm" }).click();
    await expect(loser.page.getByText("Finished", { exact: true }).first()).toBeVisible();
  };

  await test.step("an impossible score is refused at its field, and the form keeps its values", async () => {
    const [one] = await sidesOf(0);
    await one.open(`${home}/matches/0`);
    await one.page.getByRole("spinbutton", { name: "You, map 1" }).fill("13");
    await one.page.getByRole("spinbutton", { name: "Them, map 1" }).fill("12");
    await one.page.getByRole("button", { name: "Report Score" }).click();
    await expect(one.page.getByRole("alert").first()).toBeVisible();
    await expect(one.page.getByRole("spinbutton", { name: "Them, map 1" })).toHaveValue("12");
  });

  await test.step("the captains play two quarter-finals, dispute one and forfeit one", async () => {
    await win(0, ...(await sidesOf(0)));
    const [claims, denies] = await sidesOf(1);
    await report(claims, 1, [13, 3]);
    await denies.open(`${home}/matches/1`);
    await denies.page.getByRole("link", { name: "Dispute", exact: true }).click();
    const dispute = denies.page.getByRole("dialog");
    await dispute.getByRole("textbox", { name: "Evidence" }).fill("It was 3 to 13: https://example.com/picture");
    await dispute.getByRole("button", { name: "Send Dispute" }).click();
    await expect(denies.page.getByText(`${denies.name} disputes this match`)).toBeVisible();
    await host.open(`${home}/matches/1`);
    await expect(page.getByText("It was 3 to 13:")).toBeVisible();
    await page.getByRole("link", { name: "Decide" }).click();
    const decision = page.getByRole("dialog");
    await expect(decision).toBeVisible();
    if (hasJavaScript()) await waitForHydration(page);
    await decision.getByRole("spinbutton", { name: `${claims.name}, map 1` }).fill("3");
    await decision.getByRole("spinbutton", { name: `${denies.name}, map 1` }).fill("13");
    await decision.getByRole("button", { name: "Decide" }).click();
    await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();
    const [leaves] = await sidesOf(2);
    await leaves.open(`${home}/matches/2`);
    await leaves.page.getByRole("link", { name: "Forfeit" }).click();
    await leaves.page.getByRole("dialog").getByRole("button", { name: "Forfeit" }).click();
    await expect(leaves.page.getByText("Finished", { exact: true }).first()).toBeVisible();
    await win(3, ...(await sidesOf(3)));
  });

  await test.step("the host reopens a quarter-final, and with it the semi-final that depends on it", async () => {
    const [one, two] = await sidesOf(0);
    const [semiOne, semiTwo] = await sidesOf(4);
    await win(4, semiOne, semiTwo);
    await host.open(`${home}/matches/0`);
    await page.getByRole("link", { name: "Reopen Match" }).click();
    const dialog = page.getByRole("dialog", { name: "Reopen Match" });
    await expect(dialog.getByRole("listitem")).toHaveText([/^Semi-final 1: its result is undone /]);
    await dialog.getByRole("button", { name: "Reopen Match" }).click();
    await expect(page.getByText("Check-in", { exact: true }).first()).toBeVisible();
    // This time the other team wins.
    await win(0, two, one);
    expect((await sidesOf(4)).map(({ name }) => name)).toContain(two.name);
  });

  await test.step("the captains play the semi-finals and the final, and everyone sees the winner", async () => {
    await win(4, ...(await sidesOf(4)));
    await win(5, ...(await sidesOf(5)));
    const [winner, second] = await sidesOf(6);
    // The final is a best of three.
    await win(6, winner, second, 2);
    // With eight teams, there is a match for third place, too.
    await win(7, ...(await sidesOf(7)));
    await host.open(home);
    await expect(page.getByText(`${winner.name} won`).first()).toBeVisible();
    await expect(page.getByText("Finished", { exact: true }).first()).toBeVisible();
    await host.open("/dashboard/tournaments");
    const card = page.getByRole("article").filter({ hasText: title });
    await expect(card.getByText(`Won by ${winner.name}`)).toBeVisible();
    await winner.open("/dashboard/notifications");
    await expect(winner.page.getByText(`You won “${title}”`)).toBeVisible();
  });
});
