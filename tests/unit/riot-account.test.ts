import { parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, test } from "vitest";
import { splitRiotId } from "../../app/features/riot/rules";
import { riotAccountSchema } from "../../app/features/riot/schema";

/** Parses the form as the sign-up and the profile do. */
function parse(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const submission = parseWithZod(form, { schema: riotAccountSchema });
  return submission.status === "success" ? submission.value : submission.error;
}

describe("A Riot ID typed into the field of the game name", () => {
  test.each([
    ["Nova Rush#EUW", "", "Nova Rush", "EUW"],
    [" Nova Rush #EUW ", "", "Nova Rush", "EUW"],
    ["Nova Rush#EUW", "OLD", "Nova Rush", "EUW"],
    ["Nova Rush#", "EUW", "Nova Rush", "EUW"],
  ])("is split: '%s' with the tag '%s'", (gameName, tagLine, name, tag) => {
    expect(splitRiotId(gameName, tagLine)).toEqual({ gameName: name, tagLine: tag });
    expect(parse({ gameName, tagLine, region: "europe" })).toEqual({ gameName: name, tagLine: tag, region: "europe" });
  });

  test("leaves other fields as they are", () => {
    expect(splitRiotId("Nova Rush", "EUW")).toBeNull();
    expect(splitRiotId("a#b#c", "EUW")).toBeNull();
    expect(splitRiotId(undefined, "EUW")).toBeNull();
    expect(parse({ gameName: "Nova Rush", tagLine: "#EUW" })).toMatchObject({ gameName: "Nova Rush", tagLine: "EUW" });
  });

  test("keeps the errors at their fields", () => {
    expect(parse({ gameName: "", tagLine: "" })).toEqual({
      gameName: ["Enter your game name."],
      tagLine: ["Enter the tag, the part after the #."],
    });
    expect(parse({ gameName: "Nova Rush#", tagLine: "" })).toHaveProperty("tagLine");
    expect(parse({ gameName: "#EUW", tagLine: "" })).toHaveProperty("gameName");
    expect(parse({ gameName: "a#b#c", tagLine: "EUW" })).toHaveProperty("gameName");
  });
});
