import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkText } from "../../app/features/flags/shared/check.server";
import { measureCpuTime } from "../support/cpu-time";

const HERE = "https://lineup.example";

/** The findings in a text of an account that is not new, in the order of the rules. */
const findings = (text: string, origin = HERE) =>
  checkText(text, origin)
    .map(({ finding }) => finding)
    .filter((finding) => finding !== "new-account-link");

/** Hosts to which players link all the time. */
const WELL_KNOWN = [
  "bsky.app",
  "cdn.discordapp.com",
  "clips.twitch.tv",
  "discord.com",
  "discord.gg",
  "discord.js.org",
  "discordservers.com",
  "docs.google.com",
  "en.wikipedia.org",
  "github.com",
  "imgur.com",
  "lineupsvalorant.com",
  "medal.tv",
  "münchen.de",
  "playvalorant.com",
  "пример.рф",
  "steamcommunity.com",
  "store.steampowered.com",
  "streamable.com",
  "support-valorant.riotgames.com",
  "switch.com",
  "tracker.gg",
  "twitchtracker.com",
  "valorant.fandom.com",
  "valorant-stats.example",
  "www.reddit.com",
  "www.twitch.tv",
  "www.vlr.gg",
  "www.youtube.com",
  "youtu.be",
  "youtube.de",
  "例え.jp",
  "x.com",
];

describe("Words", () => {
  test.each([
    "Spike rush, then deathmatch?",
    "Flash out and I suck at flashing, sorry",
    "I kill two, you kill three. Jett diff.",
    "gg ez, one tap headshot, they got wrecked",
    "Ascent, Haven, Split, Icebox, Breeze, Fracture, Pearl, Lotus, Sunset, Abyss, Bind and Corrode",
    "Assists count: Astra, Brimstone, Clove, Cypher, Deadlock, Fade, Gekko, Harbor, Iso, Killjoy, KAY/O, Omen",
    "Phoenix, Raze, Reyna, Sage, Skye, Sova, Tejo, Viper, Vyse, Waylay, Yoru, Breach, Chamber, Neon",
    "Ghost, Sheriff, Stinger, Spectre, Bucky, Judge, Bulldog, Guardian, Phantom, Vandal, Marshal, Outlaw, Operator",
    "Anchor the cockpit, booby traps on B, assorted lineups",
    "1v1 me, 2-3, 13:9, 45s left, r1 r2 r3, K/D 1.2",
    "Discord-Kanal auf Deutsch? Hab ein Abo.",
    "Equipo negro y rojo",
  ])("of the game are not obscene: %s", (text) => {
    expect(checkText(text, HERE)).toEqual([]);
  });

  test.each([
    "Scunthorpe",
    "Penistone",
    "Essex",
    "Sussex",
    "Lightwater",
    "Clitheroe",
    "Fukuoka",
    "Dickinson",
    "Dickens",
    "Hitchcock",
    "Cummings",
    "Georgy",
    "Fagundes",
    "Arsenal",
    "Montenegro",
    "Nigeria",
    "Assad",
    "Cassandra",
    "Romanus",
    "FK Partizan",
    "kung fu",
    "analysis",
    "therapist",
    "document",
  ])("that are names or innocent are not obscene: %s", (text) => {
    expect(checkText(text, HERE)).toEqual([]);
    expect(checkText(`I am ${text}, hello`, HERE)).toEqual([]);
  });

  test.each([
    "fuck you",
    "FUUUUCK",
    "sh1t player",
    "n1gg3r",
    "ｆｕｃｋ",
    "fuсk with a Cyrillic с",
    "you b1tch",
    "a whore",
  ])("that are obscene are found: %s", (text) => {
    expect(findings(text)).toEqual(["profanity"]);
  });

  it("are kept as they were written, five at most", () => {
    expect(checkText("You $h1t. SHIT!", HERE)).toEqual([{ finding: "profanity", matches: ["$h1t", "SHIT"] }]);
    const [{ matches } = { matches: [] }] = checkText("fuck fuuck fuuuck fuuuuck fUck FUck FUCk", HERE);
    expect(matches).toHaveLength(5);
  });
});

describe("Links", () => {
  test.each(WELL_KNOWN)("to %s are never suspicious by themselves", (host) => {
    expect(findings(`https://${host}/some/path?q=1#there`)).toEqual([]);
    expect(findings(`look at ${host}`)).toEqual([]);
  });

  test.each([
    ["userinfo-link", "https://google.com@evil.example/"],
    ["userinfo-link", "https://discord.com:443@evil.example/nitro"],
    ["userinfo-link", `${HERE.replace("//", "//admin@")}/`],
    ["lookalike-link", "https://dlscord.gg/x"],
    ["lookalike-link", "https://disc0rd.com"],
    ["lookalike-link", "https://discоrd.com"],
    ["lookalike-link", "https://xn--discrd-zqf.com"],
    ["lookalike-link", "https://ԁіѕсоrԁ.com"],
    ["lookalike-link", "https://discrod.com/login"],
    ["lookalike-link", "https://dscord.com"],
    ["lookalike-link", "https://discord.com.evil.example/"],
    ["lookalike-link", "https://discord.com-login.example/"],
    ["lookalike-link", "https://discord-gift.example"],
    ["lookalike-link", "https://discord.example"],
    ["lookalike-link", "https://login.dlscord.example"],
    ["lookalike-link", "https://steamcornmunity.com/trade"],
    ["lookalike-link", "https://steamcommunlty.com"],
    ["lookalike-link", "https://steamcomunity.com"],
    ["lookalike-link", "https://twltch.tv"],
    ["lookalike-link", "https://rlotgames.com"],
    ["lookalike-link", "https://playvaIorant.com"],
    ["lookalike-link", "https://playvalorant.ru"],
    ["lookalike-link", "https://vаlorant.example"],
    ["lookalike-link", "https://youtubé.com"],
    ["lookalike-link", "https://аррӏе.com"],
    ["lookalike-link", "https://1ineup.example"],
    ["lookalike-link", "https://lineup.example.evil.example"],
    ["shortener", "https://bit.ly/3abc"],
    ["shortener", "http://www.tinyurl.com/x"],
    ["shortener", "https://BIT.LY./x"],
    ["shortener", "https://grabify.link/ABC"],
  ])("are a %s: %s", (finding, link) => {
    expect(findings(`Look: ${link}!`)).toEqual([finding]);
  });

  test.each([
    ["shortener", "bit.ly/x"],
    ["lookalike-link", "disc0rd.gg/abc"],
    ["lookalike-link", "discord-nitro.gift"],
  ])("without https:// are also a %s: %s", (finding, link) => {
    expect(findings(`go to (${link}).`)).toEqual([finding]);
  });

  it("all count for a new account, except those to this site", () => {
    const text = `https://tracker.gg/me discord.gg/abc ${HERE}/lfg/1 lineup.example/lfg/2 me@mail.example ok.then gg.ez`;
    expect(checkText(text, HERE)).toEqual([
      { finding: "new-account-link", matches: ["https://tracker.gg/me", "discord.gg/abc"] },
    ]);
    expect(checkText("http://localhost:8788/lfg/1", "http://localhost:8788")).toEqual([]);
  });

  it("of well-known hosts are never flagged, whatever their path, query and port", () => {
    const url = fc
      .tuple(
        fc.constantFrom("https://", "http://"),
        fc.constantFrom(...WELL_KNOWN),
        fc.constantFrom("", ":8443"),
        fc.webPath(),
        fc.webQueryParameters(),
      )
      .map(([scheme, host, port, path, query]) => `${scheme}${host}${port}/${path}?${query}`);
    fc.assert(
      fc.property(url, (link) => {
        expect(findings(link).filter((finding) => finding !== "profanity")).toEqual([]);
      }),
    );
  });
});

describe("Any text", () => {
  const pieces = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: "binary" }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.domain(),
    fc.constantFrom(
      "https://",
      "http://xn--",
      "@",
      "://",
      ".",
      "/",
      "https://a@b",
      "\ud800",
      "ß.com",
      "İ.gg",
      "https://[::1]",
    ),
  );

  it("is checked without an error, and every match is part of it", () => {
    fc.assert(
      fc.property(fc.array(pieces), fc.constantFrom(" ", "", "\n"), (parts, between) => {
        const text = parts.join(between);
        for (const { matches } of checkText(text, HERE)) {
          expect(matches.length).toBeGreaterThan(0);
          for (const match of matches) expect(text).toContain(match);
        }
      }),
    );
  });

  it("is checked quickly, even the longest", () => {
    checkText("Once, so that all is compiled", HERE);
    for (const piece of ["https://", "a.", "fu", "https://a.b ", "дisc0rd.gg ", "((((", "@@", "n1gg", "1l", "xn--."]) {
      const spent = measureCpuTime(() => checkText(piece.repeat(2_000).slice(0, 2_000), HERE));
      expect(spent, piece).toBeLessThan(500);
    }
  });
});
