import { eq } from "drizzle-orm";
import { HOUR, MINUTE } from "../../app/platform/dates/durations";
import { tournaments } from "../../db/schema";
import { openTestDatabase } from "../support/database";
import { expect, test, visit, waitForHydration } from "../support/e2e";
import { addTournament } from "../support/tournaments";
import { expectAccessibleEverywhere } from "./axe";
import { expectToast, newPlayer, signInQuietly, unique, verifiedProfile } from "./steps";

test("A captain finds a player and a substitute, then hands the team over to a captain who checks it in", async ({
  page,
  anotherPage,
  app,
}) => {
  // The test uses three browsers, and axe checks several screens.
  test.slow();
  const word = unique();
  const db = openTestDatabase(app);
  const { id } = await addTournament(db, {
    teams: 0,
    state: "open",
    title: `Night Cup ${word}`,
    teamSize: 2,
    maxParticipants: 8,
    checkInMinutes: 30,
    registrationDeadline: new Date(Date.now() + 24 * HOUR),
    tournamentDate: new Date(Date.now() + 48 * HOUR),
  });
  const home = `/tournaments/${id}`;
  const team = `Quiet ${word}`;
  const [ann, ben, cat] = [page, await anotherPage(), await anotherPage()];
  await signInQuietly(ann, await newPlayer(app, verifiedProfile(`Ann ${word}`)));
  await signInQuietly(ben, await newPlayer(app, verifiedProfile(`Ben ${word}`)));
  await signInQuietly(cat, await newPlayer(app, verifiedProfile(`Cat ${word}`)));

  await test.step("a player without a team joins the list", async () => {
    await visit(cat, `${home}/teams`);
    await cat
      .getByRole("region", { name: "Looking for a team" })
      .getByRole("link", { name: "Look for a Team" })
      .click();
    const dialog = cat.getByRole("dialog", { name: "Look for a Team" });
    await expect(dialog).toBeVisible();
    await waitForHydration(cat);
    await expectAccessibleEverywhere(cat);
    await dialog.getByRole("combobox", { name: "Role" }).selectOption("Duelist");
    await dialog.getByRole("textbox", { name: "Note" }).fill("Any evening.");
    await dialog.getByRole("button", { name: "Put Me on the List" }).click();
    await expectToast(cat, "success", "You're on the list", "Captains who need a player can find you there.");
    const list = cat.getByRole("region", { name: "Looking for a team" });
    await expect(list.getByRole("listitem")).toContainText("Any evening.");
    await expect(list.getByRole("button", { name: "Take Me Off" })).toBeVisible();
  });

  await test.step("a captain writes to them, then asks them by name", async () => {
    await visit(ann, `${home}/register`);
    await ann.getByRole("textbox", { name: "Team Name" }).fill(team);
    await ann.getByRole("dialog").getByRole("button", { name: "Register" }).click();
    await expect(ann.getByRole("heading", { level: 1, name: team })).toBeVisible();
    const address = new URL(ann.url()).pathname;
    await visit(ann, `${home}/teams`);
    const message = ann.getByRole("region", { name: "Looking for a team" }).getByRole("link", { name: "Message" });
    await expect(message).toHaveAccessibleDescription(`Cat ${word}`);
    await message.click();
    const dialog = ann.getByRole("dialog", { name: `Message Cat ${word}` });
    await dialog.getByRole("textbox", { name: "Message" }).fill("Play with us?");
    await dialog.getByRole("button", { name: "Send Message" }).click();
    await expectToast(ann, "success", "Message sent!");
    await visit(ann, address);
    await ann.getByRole("checkbox", { name: `Cat ${word}` }).check();
    await ann.getByRole("button", { name: "Send Invitations" }).click();
    await expectToast(ann, "success", "Invitation sent", "We'll let you know when someone joins.");
    await expect(ann.getByRole("heading", { name: "Invited, no answer yet" })).toBeVisible();
    await expectAccessibleEverywhere(ann);
  });

  await test.step("the player is notified, joins, and is off the list", async () => {
    await visit(cat, "/dashboard/notifications");
    await cat.getByRole("link", { name: `“${team}” invited you to play “Night Cup ${word}”` }).click();
    await expect(cat.getByText("You're invited to play with this team.")).toBeVisible();
    await expectAccessibleEverywhere(cat);
    await cat.getByRole("button", { name: "Join Team" }).click();
    await expectToast(cat, "success", `You're in ${team}`);
    await visit(cat, `${home}/teams`);
    await expect(cat.getByText("Nobody is looking for a team right now.")).toBeVisible();
  });

  const players = ann.getByRole("region", { name: "Players" }).getByRole("listitem");
  await test.step("a third player is the substitute, and plays when the captain decides so", async () => {
    await ann.reload();
    await waitForHydration(ann);
    const link = await ann.getByRole("textbox", { name: "Invite link" }).inputValue();
    await visit(ben, new URL(link).pathname);
    await ben.getByRole("button", { name: "Join Team" }).click();
    await expectToast(ben, "success", `You're in ${team}`, "You're a substitute. You play when someone can't.");
    await ann.reload();
    await waitForHydration(ann);
    await expect(players.filter({ hasText: `Ben ${word}` })).toContainText("Substitute");
    await ann.getByRole("combobox", { name: "Substitute" }).selectOption(`Ben ${word}`);
    await ann.getByRole("combobox", { name: "Plays instead of" }).selectOption(`Cat ${word}`);
    await ann.getByRole("button", { name: "Swap" }).click();
    await expectToast(ann, "success", `Ben ${word} is now playing`);
    await expect(players.filter({ hasText: `Cat ${word}` })).toContainText("Substitute");
  });

  await test.step("the captain hands the team over, and the new captain checks it in", async () => {
    await players
      .filter({ hasText: `Ben ${word}` })
      .getByRole("button", { name: "Make Captain" })
      .click();
    await expectToast(ann, "success", `Ben ${word} is now the captain`, "You're still in the team.");
    await expect(ann.getByRole("button", { name: "Leave Team" })).toBeVisible();
    // Move the tournament's dates closer: registration closed an hour ago, and check-in is open.
    await db
      .update(tournaments)
      .set({
        registrationDeadline: new Date(Date.now() - HOUR),
        tournamentDate: new Date(Date.now() + 20 * MINUTE),
      })
      .where(eq(tournaments.id, id));
    await visit(ben, home);
    const panel = ben.getByRole("region", { name: "Your team" });
    await expect(panel).toContainText("or your spot goes to the waiting list.");
    await expectAccessibleEverywhere(ben);
    await panel.getByRole("button", { name: "Check In" }).click();
    await expectToast(ben, "success", `${team} has checked in`);
    await expect(ben.getByRole("region", { name: "Your team" })).toContainText("You've checked in.");
  });
});
