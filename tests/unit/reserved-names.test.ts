import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isReservedName } from "../../app/features/flags/shared/reserved-names.server";

describe("A name that could be taken for Lineup's own voice", () => {
  test.each([
    "Lineup",
    "lineup",
    "L I N E U P",
    "L.i.n.e.u.p",
    "Line up",
    "Lineup Support",
    "LineupSupport",
    "Team Lineup",
    "Lineup24",
    "1ineup",
    "L!neup",
    "Ꮮіոеυр",
    "Line\u200Bup",
    "Line\u{E0001}up",
    "Ｌｉｎｅｕｐ",
    "L̷ineup",
    "Moderator",
    "M0derator",
    "Mode\u00ADrator",
    "Chat Moderator 2",
    "rnoderator",
    "Mod Team",
    "Modteam",
    "ADMIN",
    "Αdmіn",
    "@dmin",
    "4dm1n",
    "The Admins",
    "Site Administrator",
    "Support",
    "Support Team",
    "Riot",
    "Riot Games",
    "RiotSupport",
    "Official Riot Cup",
    "Official Valorant League",
    "Official",
    "Verified by Riot",
    "System",
    "You",
    "Y0U",
    "Unknown User",
    "UnknownUser",
    "Deleted player",
    "The organisers",
    "A player you blocked",
    "Player 0193f2ab",
    "Bye",
  ])("%s", (name) => {
    expect(isReservedName(name)).toBe(true);
  });

  test("is recognised with invisible characters and combining marks in it", () => {
    const invisible = fc.constantFrom("", "\u200B", "\u200D", "\u2060", "\u00AD", "\uFE0F", "\u0336", "\u0301");
    fc.assert(
      fc.property(
        fc.constantFrom("Lineup", "Moderator", "Admin", "Unknown User"),
        fc.array(invisible),
        (name, marks) => {
          const disguised = [...name].map((letter, index) => letter + (marks[index] ?? "")).join("");
          expect(isReservedName(disguised)).toBe(true);
        },
      ),
    );
  });
});

describe("A name that isn't reserved", () => {
  test.each([
    "Badminton",
    "Viper Lineups",
    "Lining up",
    "Administer",
    "Modern Art",
    "Model",
    "Commodore",
    "Support Mains",
    "Riot Squad",
    "Valorant",
    "The Valorant Team",
    "Team Valorant",
    "Officially Tilted",
    "Unofficial Cup",
    "Thank You",
    "Younger",
    "Bye Bye",
    "Players",
    "Player One",
    "Security Breach",
    "Team",
    "The Team",
    "Systematic",
    "Sørina",
    "Кот",
    "管理",
    "Nguyễn",
    "Night Cup",
    "Ayelén",
    "Staffordshire",
    "1337",
    "###",
  ])("%s", (name) => {
    expect(isReservedName(name)).toBe(false);
  });
});
