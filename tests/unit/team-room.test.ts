import { describe, expect, test } from "vitest";
import { readPartyCode, readVoiceLink, sayNextStep, sortRoles } from "../../app/features/teams/room/rules";
import { roomSchema } from "../../app/features/teams/room/schema";

test.each([
  ["AB12CD", "AB12CD"],
  [" ab1 2cd ", "AB12CD"],
  ["AB12C", null],
  ["AB12CDE", null],
  ["AB-2CD", null],
  ["ÄB12CD", null],
  ["", null],
])("A party code typed as %j is read as %j", (typed, code) => {
  expect(readPartyCode(typed)).toBe(code);
});

describe("A voice link", () => {
  test.each([
    ["https://discord.gg/aBc-DeF", "https://discord.gg/aBc-DeF"],
    [" discord.gg/aBcDeF/ ", "https://discord.gg/aBcDeF"],
    ["http://www.Discord.gg/aBcDeF", "https://discord.gg/aBcDeF"],
    ["https://discord.com/invite/aBcDeF", "https://discord.com/invite/aBcDeF"],
    [
      "https://canary.discord.com/channels/123456789012345678/223456789012345678",
      "https://discord.com/channels/123456789012345678/223456789012345678",
    ],
  ])("may be typed as %j", (typed, link) => {
    expect(readVoiceLink(typed)).toBe(link);
  });

  test.each([
    "https://dlscord.gg/aBcDeF",
    "https://discord.gg.evil.example/aBcDeF",
    "https://discord.gg@evil.example/aBcDeF",
    "https://evil.example/discord.gg/aBcDeF",
    "https://discord.gg:8443/aBcDeF",
    "https://discord.gg/aBcDeF?to=evil",
    "https://discord.gg/aBcDeF#x",
    "https://discord.gg/..%2Fx",
    "https://discord.com/login",
    "https://discord.com/channels/1/2",
    "https://discord.gg/",
    "javascript:alert(1)//discord.gg/aBcDeF",
    "Join us: discord.gg/aBcDeF",
    "https://ԁiscord.gg/aBcDeF",
    "",
  ])("can't be %j", (typed) => {
    expect(readVoiceLink(typed)).toBeNull();
  });
});

test("A form of the room needs its own field, in any of the forms that players type", () => {
  const read = (form: Record<string, string>) => roomSchema.safeParse(form);
  expect(read({ intent: "set-party-code", partyCode: "ab12cd" }).data).toMatchObject({ partyCode: "AB12CD" });
  expect(read({ intent: "set-voice-link", voiceLink: "discord.gg/abc" }).data).toMatchObject({
    voiceLink: "https://discord.gg/abc",
  });
  expect(read({ intent: "ready" }).success).toBe(true);
  for (const form of [
    { intent: "set-party-code" },
    { intent: "set-voice-link", partyCode: "AB12CD" },
    { intent: "steady" },
    {},
  ]) {
    expect(read(form as Record<string, string>).success).toBe(false);
  }
});

describe("The next step", () => {
  const say = (ready: string, others: { openSpots?: number; hasCode?: boolean } = {}) =>
    sayNextStep({
      viewerId: "you",
      members: ["you", "maya", "ben"].map((name) => ({
        userId: name,
        name: name === "maya" ? "Maya" : name,
        isReady: ready.includes(name),
      })),
      openSpots: 0,
      hasCode: false,
      ...others,
    });

  test("is the viewer's own first, then the others', then the party code, then the queue", () => {
    expect(say("")).toBe("Press Ready when you're set.");
    expect(say("maya ben")).toBe("Everyone else is ready. Press Ready when you're set.");
    expect(say("you")).toBe("Waiting for 2 more to be ready.");
    expect(say("you ben")).toBe("Waiting for Maya to be ready.");
    expect(say("you maya ben")).toBe("All ready. Set the party code.");
    expect(say("you maya ben", { hasCode: true })).toBe("All ready. Queue up.");
    expect(say("you maya ben", { hasCode: true, openSpots: 1 })).toBe("All ready. 1 spot is still open.");
    expect(say("you maya ben", { openSpots: 2 })).toBe("All ready. 2 spots are still open.");
  });
});

test("Roles are covered if someone plays them", () => {
  const members = [{ role: "Sentinel" as const }, { role: null }, { role: "Duelist" as const }];
  expect(sortRoles(members)).toEqual({ covered: ["Duelist", "Sentinel"], missing: ["Initiator", "Controller"] });
});
