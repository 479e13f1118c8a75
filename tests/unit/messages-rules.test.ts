import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  currentPresence,
  greeting,
  groupThread,
  pairKey,
  previewOf,
  splitLinks,
  type ThreadMessage,
} from "../../app/features/messages/rules";

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const message = (seq: number, senderId: string, time: string): ThreadMessage => ({
  id: String(seq),
  seq,
  senderId,
  content: `${seq}`,
  createdAt: at(time),
});

describe("a conversation", () => {
  it("of two players has one key, whoever begins it", () => {
    fc.assert(fc.property(fc.uuid(), fc.uuid(), (a, b) => pairKey(a, b) === pairKey(b, a)));
    expect(pairKey("b", "a")).toBe("a:b");
  });

  it("begins with a greeting that quotes the post", () => {
    expect(greeting("Trio for ranked")).toBe("Hi! I saw your LFG post “Trio for ranked” and would like to play.");
  });

  it("shows its last message in the list as one line that never ends inside a character", () => {
    expect(previewOf("  two\n\nlines ")).toBe("two lines");
    expect(previewOf("x".repeat(120))).toBe("x".repeat(120));
    expect(previewOf("x".repeat(121))).toBe(`${"x".repeat(119)}…`);
    const flags = previewOf("🎯".repeat(200));
    expect(flags).toBe(`${"🎯".repeat(119)}…`);
  });
});

describe("a thread", () => {
  it("is read in runs: one player's messages within five minutes, on one day", () => {
    const days = groupThread(
      [
        message(1, "a", "18:40:00"),
        message(2, "a", "18:42:00"),
        message(3, "b", "18:43:00"),
        message(4, "b", "18:49:00"),
        message(5, "b", "22:58:00"),
        message(6, "b", "23:01:00"),
      ],
      "Europe/Berlin",
    );
    expect(
      days.map(({ date, runs }) => [date, runs.map((run) => run.messages.map(({ seq }) => seq).join(""))]),
    ).toEqual([
      ["2026-11-21", ["12", "3", "4", "5"]],
      ["2026-11-22", ["6"]],
    ]);
  });

  it("keeps the order it is given, whatever the clocks say, and loses nothing", () => {
    const clock = fc.record({ senderId: fc.constantFrom("a", "b"), createdAt: fc.integer({ min: 0, max: 4e12 }) });
    fc.assert(
      fc.property(fc.array(clock), (messages) => {
        const read = groupThread(messages, "Pacific/Kiritimati").flatMap(({ runs }) =>
          runs.flatMap((run) => run.messages),
        );
        expect(read).toEqual(messages);
      }),
    );
  });
});

describe("an address in a message", () => {
  const hrefs = (content: string) => splitLinks(content).flatMap(({ href }) => href ?? []);

  it("can be followed when it is written out, without what belongs to the sentence", () => {
    expect(hrefs("see https://example.com/a?b=c#d, or (http://example.com/x).")).toEqual([
      "https://example.com/a?b=c#d",
      "http://example.com/x",
    ]);
    expect(hrefs("https://en.wikipedia.org/wiki/Valorant_(game)")).toEqual([
      "https://en.wikipedia.org/wiki/Valorant_(game)",
    ]);
  });

  it("is nothing that runs or leads into this page", () => {
    for (const content of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//evil.example",
      "https://",
      "www.example.com",
    ]) {
      expect(hrefs(content), content).toEqual([]);
    }
  });

  it("leaves every word of the message as it was", () => {
    const words = fc.array(
      fc.oneof(fc.string({ unit: "grapheme" }), fc.webUrl({ withQueryParameters: true, withFragments: true })),
    );
    fc.assert(
      fc.property(words, (parts) => {
        const content = parts.join(" ");
        expect(
          splitLinks(content)
            .map(({ text }) => text)
            .join(""),
        ).toBe(content);
        for (const href of hrefs(content)) expect(href).toMatch(/^https?:\/\//);
      }),
    );
  });
});

describe("presence", () => {
  it("lapses when the room that said it has been silent for ten minutes", () => {
    const now = at("20:00:00");
    expect(currentPresence({ state: "online", seenAt: at("19:51:00") }, now)).toBe("online");
    expect(currentPresence({ state: "away", seenAt: at("19:51:00") }, now)).toBe("away");
    expect(currentPresence({ state: "online", seenAt: at("19:49:00") }, now)).toBe("offline");
    expect(currentPresence(null, now)).toBe("offline");
  });
});
