import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOUR } from "../../app/platform/dates/durations";
import { type App, startApp } from "../../scripts/local/app";
import { newAccount, unique, verifiedProfile } from "../e2e/steps";
import { openTestDatabase } from "../support/database";
import { startTournament } from "../support/matches";
import { addTournament } from "../support/tournaments";
import { BROWSERS } from "./browsers";
import { Visitor } from "./visitor";

let app: App;
beforeAll(async () => {
  app = await startApp({ world: "demo", limitFactor: 1_000 });
});
afterAll(() => app?.stop());

describe.each(BROWSERS)("%s", (browser) => {
  describe.each([
    { mode: "with JavaScript", scripts: true },
    { mode: "without JavaScript", scripts: false },
  ])("$mode", ({ scripts }) => {
    let ann: Visitor;
    let ben: Visitor;
    beforeAll(async () => {
      [ann, ben] = await Promise.all([
        Visitor.arrive(browser, app.url, { scripts }),
        Visitor.arrive(browser, app.url, { scripts }),
      ]);
    });
    afterAll(async () => {
      const errors = await Promise.all([ann, ben].map((visitor) => visitor?.leave() ?? []));
      expect(errors.flat(), "errors on the pages").toEqual([]);
    });

    /** Makes a new verified player and signs them in, in the visitor's browser. */
    async function signInNewPlayer(visitor: Visitor, letter: string): Promise<{ name: string; id: string }> {
      const name = `${letter} ${unique()}`;
      const { id, email } = await newAccount(app, verifiedProfile(name));
      await visitor.signIn(email);
      return { name, id };
    }

    test("A player signs up", async () => {
      const name = `newcomer-${unique()}`;
      await ann.open("/");
      await ann.click("link", "Get Started");
      await ann.waitForPath("/auth");
      await ann.waitForText("Next: Verify Riot Account");
      await ann.fill("Email", `${name}@example.com`);
      await ann.fill("Password", "four smokes and a wall");
      await ann.click("button", "Next: Verify Riot Account");
      await ann.fill("Game Name", `Fifth ${unique()}`);
      await ann.fill("Tag", "LINE");
      await ann.select("Region", "Europe");
      await ann.click("button", "Verify");
      await ann.waitForText("Account Verified!");
      await ann.click("button", "Complete Signup");
      await ann.waitForPath("/dashboard");
      await ann.waitForText(`Welcome back, ${name}`);
    });

    test("A player posts, another contacts them, and the two talk", async () => {
      const [{ name: author }, { name: visitor }] = await Promise.all([
        signInNewPlayer(ann, "Ann"),
        signInNewPlayer(ben, "Ben"),
      ]);
      const title = `Two for Lotus ${unique()}`;
      await ann.click("link", "Create Post");
      await ann.fill("Title", title);
      await ann.fill("Message", "Smokes are mine.");
      await ann.choose("2");
      await ann.select("Region", "Europe");
      await ann.click("button", "Create Post");
      await ann.waitForText("LFG post created!");
      const address = await ann.addressOf(title);

      await ben.open("/dashboard");
      await ben.click("link", title);
      await ben.waitForPath(address);
      await ben.click("link", "Contact");
      await ben.waitForText(`Contact ${author}`);
      await ben.click("button", "Send Message");
      await ben.waitForText("Message sent!");

      await ann.open("/dashboard");
      await ann.click("link", "Chat");
      await ann.click("link", visitor);
      await ben.open("/dashboard/messages");
      await ben.click("link", author);
      const greeting = `I saw your LFG post “${title}”`;
      await Promise.all([ann.waitForMessages([greeting]), ben.waitForMessages([greeting])]);

      // With scripts, new messages appear in the open documents; without, players check for them.
      await Promise.all([ann.markDocument(), ben.markDocument()]);
      const lookAgain = (reader: Visitor) => (scripts ? undefined : reader.click("link", "Check for new messages"));
      await ann.fill("Message", "Yes, still open. 20:30?");
      await ann.click("button", "Send");
      await lookAgain(ben);
      await ben.waitForMessages([greeting, "Yes, still open. 20:30?"]);
      await ben.fill("Message", "I'm in. Żaneta's coming too ✓");
      await ben.click("button", "Send");
      await lookAgain(ann);
      await ann.waitForMessages([greeting, "Yes, still open. 20:30?", "I'm in. Żaneta's coming too ✓"]);
      expect([await ann.isMarkedDocument(), await ben.isMarkedDocument()]).toEqual([scripts, scripts]);
    });

    test("A captain registers a team", async () => {
      const { id } = await addTournament(openTestDatabase(app), {
        teams: 0,
        state: "open",
        title: `Night Cup ${unique()}`,
        teamSize: 2,
        maxParticipants: 8,
        registrationDeadline: new Date(Date.now() + 24 * HOUR),
        tournamentDate: new Date(Date.now() + 48 * HOUR),
      });
      await signInNewPlayer(ann, "Ann");
      const team = `Quiet ${unique()}`;
      await ann.open(`/tournaments/${id}`);
      await ann.click("link", "Register");
      await ann.fill("Team Name", team);
      await ann.click("button", "Register");
      await ann.waitForText("You're registered!");
      await ann.waitForText(team);
    });

    test("Two captains check in, one reports the score, and the other confirms it", async () => {
      const [first, last] = await Promise.all([signInNewPlayer(ann, "Ann"), signInNewPlayer(ben, "Ben")]);
      const { id } = await startTournament(app, {
        teams: 2,
        teamSize: 5,
        finalBestOf: 3,
        captains: [first.id, last.id],
        tournamentDate: new Date(Date.now() - 60_000),
        title: `Night Cup ${unique()}`,
      });
      const match = `/tournaments/${id}/matches/0`;
      await ann.open(match);
      await ann.click("button", "Check In");
      await ann.waitForText("Team 1 has checked in");
      await ben.open(match);
      await ben.click("button", "Check In");
      await ben.waitForText("Both teams are here. Play!");
      await ben.select("Map 1", "Haven");
      for (const map of [1, 2]) {
        await ben.fill(`You, map ${map}`, "13");
        await ben.fill(`Them, map ${map}`, "9");
      }
      await ben.click("button", "Report Score");
      await ben.waitForText("Score reported");
      if (!scripts) await ann.open(match);
      await ann.waitForText("Is this how it ended?");
      await ann.click("button", "Confirm");
      await ann.waitForText("Team 2 won");
    });
  });
});
