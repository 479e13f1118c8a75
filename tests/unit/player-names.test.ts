import { describe, expect, it } from "vitest";
import { nameWords, wordsOf } from "../../app/features/players/shared/names";

/** Whether a search finds a name: each of its words must begin a word of the name. */
const finds = (typed: string, name: string) =>
  wordsOf(typed).every((wanted) => nameWords(name).some((word) => word.startsWith(wanted)));

describe("a player's name", () => {
  it.each([
    ["mira", "Miravel"],
    ["MIRAVEL", "miravel"],
    ["walker", "Void Walker"],
    ["void wal", "Void Walker"],
    ["walker void", "Void Walker"],
    ["voidwalker", "Void Walker"],
    ["miravel#EUW", "Miravel"],
    ["mira", "miravel#EUW"],
    ["sliwka", "Śliwka"],
    ["ковалев", "КОВАЛЁВ"],
    ["йога", "Йога"],
    ["dang", "Đặng"],
    ["istanbul", "İstanbul"],
    ["isik", "Işık"],
    ["sorina", "Sørina"],
    ["lukasz", "Łukasz"],
    ["strasse", "Straße"],
    ["STRASSE", "straße"],
    ["aesir", "Æsir"],
    ["σασ", "ΣΑΣ"],
    ["ς", "Σ"],
    ["てる", "愛してる"],
    ["소녀", "불꽃소녀"],
    ["ﬁre", "Fire"],
    ["★彡", "★彡"],
    ["♥♥", "♥♥"],
    ["._.#EUW", "._."],
    ["._.", "._.#EUW"],
    ["77", "Ace 77"],
  ])("is found by '%s': %s", (typed, name) => {
    expect(finds(typed, name)).toBe(true);
  });

  it.each([
    ["ravel", "Miravel"],
    ["void x", "Void Walker"],
    ["euw", "miravel#EUW"],
    ["b", "Ковалёв"],
  ])("is not found by '%s': %s", (typed, name) => {
    expect(finds(typed, name)).toBe(false);
  });

  it("that is empty, or a combining accent alone, has no words", () => {
    expect([nameWords(""), wordsOf(" "), wordsOf(""), wordsOf("\u0301")]).toEqual([[], [], [], []]);
    expect(wordsOf("\u0301 ace")).toEqual(["ace"]);
  });
});
