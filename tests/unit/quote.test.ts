import { describe, expect, it } from "vitest";
import { quoteOf } from "../../app/features/moderation/shared/statement";

const PLAYER = {
  ...{ author: "Jett Main", riotId: "Jett Main#EUW", description: "Rude words", tags: ["calm", "rude"] },
  ...{ playTimes: "At night", discordTag: "jett.main", requests: ["A note"], searches: ["Another", "A third"] },
};

describe("A statement of reasons", () => {
  it("quotes everything that a player has written, note by note, and names the parts", () => {
    expect(quoteOf("player", PLAYER, { picture: "key" })).toEqual([
      "Name: Jett Main",
      "Riot ID: Jett Main#EUW",
      "Description: Rude words",
      "Tags: calm, rude",
      "Play times: At night",
      "Discord tag: jett.main",
      "Notes to join teams: A note",
      "Notes to find a team: Another",
      "Notes to find a team: A third",
      "Picture: the one you had then",
    ]);
  });

  it("quotes a tournament's rules and the reasons for cancelling and disqualifying", () => {
    const snapshot = {
      author: "Host",
      title: "Cup",
      rules: "No fun",
      cancelReason: "Rain",
      disqualifications: ["Late"],
    };
    expect(quoteOf("tournament", snapshot)).toEqual([
      "Title: Cup",
      "Rules: No fun",
      "Reason for cancelling: Rain",
      "Reasons for disqualifying: Late",
    ]);
  });

  it("names no part if there is only one, and quotes nobody else's words", () => {
    const before = [{ by: "other", content: "Somebody else's" }];
    expect(quoteOf("message", { author: "Me", content: "Mine", before })).toEqual(["Mine"]);
    expect(quoteOf("team", { author: "Me", name: "Rude team", tournament: "Night Cup" })).toEqual(["Rude team"]);
  });

  it("quotes each version of a text once, next to each other, and a hundred lines at most", () => {
    const later = ["Worse", "Rude words", "Worst"].map((comment) => ({ snapshot: { comment }, picture: null }));
    expect(quoteOf("review", { comment: "Rude words" }, { later })).toEqual(["Rude words", "Worse", "Worst"]);
    const searches = Array.from({ length: 200 }, (_, index) => `Note ${index}`);
    expect(quoteOf("player", { ...PLAYER, searches })).toHaveLength(100);
  });

  it("says that the picture is part of it if only a later reporter saw one", () => {
    const later = [{ snapshot: null, picture: "key" }];
    expect(quoteOf("player", { author: "Me" }, { later })).toEqual(["Name: Me", "Picture: the one you had then"]);
  });
});
