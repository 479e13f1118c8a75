import { parseWithZod } from "@conform-to/zod/v4";
import fc from "fast-check";
import { expect, test } from "vitest";
import { availabilityOf, SLOTS, slotsOf } from "../../app/features/players/availability";
import { profileSchema } from "../../app/features/players/profile/profile-schema";
import { listTimeZones } from "../../app/features/players/profile/profile-values";
import { splitTags } from "../../app/features/players/profile/tags";
import { readTimeZone } from "../../app/platform/dates/time-zone";

function parse(fields: Record<string, string | readonly string[]>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of [value].flat()) form.append(name, one as string);
  return parseWithZod(form, { schema: profileSchema });
}

function fieldsOf(fields: Parameters<typeof parse>[0]) {
  const submission = parse(fields);
  if (submission.status !== "success") throw new Error(JSON.stringify(submission.error));
  return submission.value;
}

test("An empty form is an empty profile", () => {
  expect(fieldsOf({})).toEqual({
    currentRank: null,
    mainAgents: [],
    riotId: null,
    discordTag: null,
    preferredRole: null,
    region: null,
    playTimes: null,
    voiceCommsPreference: null,
    personalityTags: [],
    description: null,
    timeZone: null,
    availability: null,
    languages: [],
    shares: [],
    isListed: false,
  });
  expect(fieldsOf({ description: " \n ", playTimes: "  ", personalityTags: " , ,", currentRank: "" })).toMatchObject({
    description: null,
    playTimes: null,
    personalityTags: [],
  });
});

test("Tags of letters that nobody can see are dropped", () => {
  expect(splitTags("Calm, \u3164, \u200b\u2800")).toEqual(["Calm"]);
});

test.each([
  ["currentRank", "Diamond 4", "Choose a rank from the list."],
  ["mainAgents", "Nobody", "Choose agents from the list."],
  ["mainAgents", ["Jett", "Omen", "Sage", "Sova"], "Three is the most. Take one off to choose another."],
  ["riotId", "no tag", "Enter the name and the tag, like Name#TAG."],
  ["riotId", "a#b#c", "Enter the name and the tag, like Name#TAG."],
  ["discordTag", "x".repeat(38), "This Discord tag is 1 character too long. The limit is 37."],
  ["preferredRole", "Healer", "Choose a role from the list."],
  ["region", "Atlantis", "Choose a region from the list."],
  ["playTimes", "x".repeat(101), "This text is 1 character too long. The limit is 100."],
  ["voiceCommsPreference", "loud", "Choose one from the list."],
  ["personalityTags", "a,b,c,d,e,f", "Use up to 5 tags."],
  [
    "personalityTags",
    `calm, ${"x".repeat(25)}`,
    `This tag, “${"x".repeat(25)}”, is 1 character too long. The limit is 24. Put commas between tags.`,
  ],
  ["personalityTags", "x".repeat(10_000), "This list of tags is 9,700 characters too long. The limit is 300."],
  ["description", "x".repeat(501), "This description is 1 character too long. The limit is 500."],
  ["timeZone", "Mars/Olympus", "Choose a time zone from the list."],
  ["timeZone", "+02:00", "Choose a time zone from the list."],
  ["availability", "monday-teatime", "Choose times from the table."],
  ["languages", "xx", "Choose languages from the list."],
  ["shares", "password", "Choose from the list."],
] as const)("%s refuses an invalid value, and says why at the field", (name, value, error) => {
  expect(parse({ [name]: value }).reply().error).toEqual({ [name]: [error] });
});

test("Up to three agents are accepted, a repeated agent counts once, and they keep the list's order", () => {
  expect(fieldsOf({ mainAgents: ["Vyse", "Jett", "Jett", "KAY/O"] }).mainAgents).toEqual(["Jett", "KAY/O", "Vyse"]);
});

test("Tags are split at commas, and tags that differ only in letter case are the same", () => {
  expect(splitTags(" Calm ,  early   caller,calm,,ЗЛОЙ,злой ")).toEqual(["Calm", "early caller", "ЗЛОЙ"]);
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (text) => {
      const tags = splitTags(text);
      expect(splitTags(tags.join(","))).toEqual(tags);
    }),
  );
});

test("A profile shows the week that was ticked", () => {
  fc.assert(
    fc.property(fc.subarray([...SLOTS]), (slots) => {
      expect(slotsOf(availabilityOf(slots))).toEqual(slots);
    }),
  );
  expect(SLOTS).toHaveLength(35);
});

test("Every time zone on offer can be chosen, and the stored one is on offer", () => {
  const zones = listTimeZones("Europe/Kyiv").flatMap(([, names]) => names);
  expect(zones).toContain("UTC");
  expect(zones).toContain("Europe/Kyiv");
  expect(zones.length).toBeGreaterThan(300);
  expect(zones.filter((zone) => !readTimeZone(zone))).toEqual([]);
});
