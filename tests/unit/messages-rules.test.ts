import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  currentPresence,
  greeting,
  groupThread,
  lastWithoutGap,
  mergeEvents,
  mergeMessages,
  pairKey,
  previewOf,
  type Stretch,
  showPage,
  splitLinks,
  type ThreadMessage,
} from "../../app/features/messages/rules";
import { dateIn } from "../../app/platform/dates/dates";
import { measureCpuTime } from "../support/cpu-time";

const at = (time: string) => Date.parse(`2026-11-21T${time}Z`);
const message = (seq: number, senderId: string, time: string): ThreadMessage => ({
  id: String(seq),
  seq,
  senderId,
  content: `${seq}`,
  createdAt: at(time),
});

describe("a conversation", () => {
  it("of two players has one key, whichever of them starts it", () => {
    fc.assert(fc.property(fc.uuid(), fc.uuid(), (a, b) => pairKey(a, b) === pairKey(b, a)));
    expect(pairKey("b", "a")).toBe("a:b");
  });

  it("starts with a greeting that quotes the post", () => {
    expect(greeting("Trio for ranked")).toBe("Hi! I saw your LFG post “Trio for ranked” and would like to play.");
  });

  it("shows its last message in the list as one line, never cut inside a character", () => {
    expect(previewOf("  two\n\nlines ")).toBe("two lines");
    expect(previewOf("x".repeat(120))).toBe("x".repeat(120));
    expect(previewOf("x".repeat(121))).toBe(`${"x".repeat(119)}…`);
    expect(previewOf("🎯".repeat(120))).toBe("🎯".repeat(120));
    const flags = previewOf("🎯".repeat(200));
    expect(flags).toBe(`${"🎯".repeat(119)}…`);
  });
});

describe("a thread", () => {
  it("groups messages into runs: one player's, less than five minutes apart, on one day", () => {
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

  it("keeps the order it is given, whatever the timestamps, and loses no message", () => {
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

  it("ends a run at a new day, another player or a pause, and only then", () => {
    const zones = fc.constantFrom("UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kathmandu");
    // Steps of minutes, some of them backwards as clocks may go, around New York's change to summer time.
    const step = fc.record({
      senderId: fc.constantFrom("a", "b", null),
      minutes: fc.oneof(fc.integer({ min: -6, max: 12 }), fc.integer({ min: 0, max: 3_000 })),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), zones, (steps, zone) => {
        let createdAt = Date.parse("2026-03-07T23:00:00Z");
        const messages = steps.map(({ senderId, minutes }) => {
          createdAt += minutes * 60_000;
          return { senderId, createdAt };
        });
        const days = groupThread(messages, zone);
        const runs = days.flatMap(({ date, runs }) => runs.map((run) => ({ ...run, date })));
        const belong = (a: (typeof messages)[number], b: (typeof messages)[number]) =>
          a.senderId === b.senderId &&
          dateIn(zone, a.createdAt) === dateIn(zone, b.createdAt) &&
          Math.abs(b.createdAt - a.createdAt) < 5 * 60_000;
        for (const { date, senderId, messages } of runs) {
          expect(messages.length).toBeGreaterThan(0);
          messages.forEach((message, index) => {
            expect([message.senderId, dateIn(zone, message.createdAt)]).toEqual([senderId, date]);
            if (index > 0) expect(belong(messages[index - 1] as typeof message, message)).toBe(true);
          });
        }
        for (let index = 1; index < runs.length; index += 1) {
          const [last, first] = [runs[index - 1]?.messages.at(-1), runs[index]?.messages[0]];
          expect(last && first && belong(last, first)).toBe(false);
        }
        for (let index = 1; index < days.length; index += 1) expect(days[index]?.date).not.toBe(days[index - 1]?.date);
      }),
    );
    expect(groupThread([], "UTC")).toEqual([]);
  });

  it("shows each event once, after the messages before it, and leaves the messages as they are", () => {
    const times = fc.array(fc.nat(50), { maxLength: 8 }).map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(times, times, fc.boolean(), fc.boolean(), (sent, happened, older, newer) => {
        const messages = sent.map((createdAt, index) => ({ id: `m${index}`, createdAt }));
        const events = happened.map(
          (createdAt, index) => ({ id: `e${index}`, words: "", createdAt, senderId: `event ${index}` }) as const,
        );
        const merged = mergeEvents(messages, events, { older, newer });
        const [first, last] = [sent[0] ?? Infinity, sent.at(-1) ?? -Infinity];
        const shown = events.filter(({ createdAt }) => (older || createdAt >= first) && (newer || createdAt <= last));
        expect(merged.filter((one) => !("words" in one))).toEqual(messages);
        expect(merged.filter((one) => "words" in one)).toEqual(shown);
        expect(merged.map(({ createdAt }) => createdAt)).toEqual(
          merged.map(({ createdAt }) => createdAt).sort((a, b) => a - b),
        );
      }),
    );
  });
});

describe("a page's part of a thread", () => {
  const thread = Array.from({ length: 30 }, (_, index) => message(index + 1, index % 3 ? "a" : "b", "18:40:00"));
  /** Pieces of the thread as pages, rooms and catch-up requests deliver them: in any order, overlapping, with gaps. */
  const pieces = fc.array(fc.shuffledSubarray(thread));
  const bySeq = (a: ThreadMessage, b: ThreadMessage) => a.seq - b.seq;

  it("holds each message once in the conversation's order, however often and in whatever order it arrived", () => {
    fc.assert(
      fc.property(pieces, (sources) => {
        const merged = mergeMessages(...sources);
        expect(merged).toEqual([...new Set(sources.flat())].sort(bySeq));
        // Merging again, in reverse, or piece by piece gives the same result.
        expect(mergeMessages(merged, ...sources)).toEqual(merged);
        expect(mergeMessages(...[...sources].reverse())).toEqual(merged);
        expect(sources.reduce<ThreadMessage[]>((before, source) => mergeMessages(before, source), [])).toEqual(merged);
      }),
    );
  });

  it("leaves its sources unchanged", () => {
    fc.assert(
      fc.property(pieces, (sources) => {
        const before = sources.map((source) => [...source]);
        mergeMessages(...sources);
        expect(sources).toEqual(before);
      }),
    );
  });

  it("is complete up to the first gap, and throughout once the messages after that have been requested", () => {
    expect(lastWithoutGap([], true)).toBe(0);
    fc.assert(
      fc.property(fc.subarray(thread, { minLength: 1 }), fc.integer({ min: 1, max: 7 }), (some, page) => {
        const first = some[0]?.seq as number;
        const last = lastWithoutGap(some, true);
        const seqs = some.map(({ seq }) => seq);
        for (let seq = first; seq <= last; seq += 1) expect(seqs).toContain(seq);
        expect(seqs).not.toContain(last + 1);

        let held = [...some];
        for (let asked = 0; asked <= thread.length; asked += 1) {
          const after = lastWithoutGap(held, true);
          held = mergeMessages(held, thread.filter(({ seq }) => seq > after).slice(0, page));
        }
        expect(held).toEqual(thread.slice(first - 1));
      }),
    );
  });

  it("counts a missing first message as a gap, unless there are older ones to load", () => {
    const second = thread.slice(1, 2);
    expect(lastWithoutGap(second, false)).toBe(0);
    expect(lastWithoutGap(second, true)).toBe(2);
    expect(lastWithoutGap(thread, false)).toBe(thread.length);
  });

  /** The messages from one place to another, as a page loads them. */
  const pageOf = (from: number, to: number): Stretch => ({
    messages: thread.slice(from - 1, to),
    hasOlder: from > 1,
    isOlderPage: to < thread.length,
  });

  it("grows by the pages next to it, and is replaced by a page elsewhere", () => {
    expect(showPage(pageOf(21, 30), pageOf(11, 20))).toEqual(pageOf(11, 30));
    expect(showPage(pageOf(11, 20), pageOf(21, 30))).toEqual(pageOf(11, 30));
    expect(showPage(pageOf(11, 30), pageOf(13, 17))).toEqual(pageOf(11, 30));
    expect(showPage(pageOf(21, 30), pageOf(1, 10))).toEqual(pageOf(1, 10));
    expect(showPage(pageOf(1, 10), pageOf(21, 30))).toEqual(pageOf(21, 30));
  });

  it("is kept at the conversation's end, even if a page begins after messages that it has missed", () => {
    const shown = { ...pageOf(1, 10), isOlderPage: false };
    const messages = [...thread.slice(0, 10), ...thread.slice(20)];
    expect(showPage(shown, pageOf(21, 30))).toEqual({ messages, hasOlder: false, isOlderPage: false });
  });
});

describe("an address in a message", () => {
  const hrefs = (content: string) => splitLinks(content).flatMap(({ href }) => href ?? []);

  it("becomes a link without the punctuation of the sentence around it", () => {
    expect(hrefs("see https://example.com/a?b=c#d, or (http://example.com/x).")).toEqual([
      "https://example.com/a?b=c#d",
      "http://example.com/x",
    ]);
    expect(hrefs("https://en.wikipedia.org/wiki/Valorant_(game)")).toEqual([
      "https://en.wikipedia.org/wiki/Valorant_(game)",
    ]);
  });

  it("names the host that it leads to, unless its text begins with that host", () => {
    const hosts = (content: string) => splitLinks(content).flatMap(({ href, host }) => (href ? [host ?? "-"] : []));
    expect(hosts("https://example.com/a HTTPS://EXAMPLE.com http://example.com:8080?x")).toEqual(["-", "-", "-"]);
    expect(hosts("https://google.com@evil.example/ https:///evil.example https://0x7f.1")).toEqual([
      "evil.example",
      "evil.example",
      "127.0.0.1",
    ]);
    expect(hosts("https://discоrd.com")).toEqual(["xn--discrd-zqf.com"]);
  });

  it("never becomes a link that runs code or leads into this page", () => {
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

  it("is found anywhere in a sentence, without its punctuation", () => {
    const before = fc.constantFrom("", "see ", "(", "“", "-> ", "*", "line\n", "（");
    const after = fc.constantFrom("", ".", ", and", "!", "?!", ")", ").", "”", "’.", "*", "\nmore", '"', "> x", "<x");
    const address = fc
      .webUrl({ validSchemes: ["http", "https"] })
      .filter((url) => /[\w/]$/.test(url) && !/[()'*_~]/.test(url));
    fc.assert(
      fc.property(before, address, after, (lead, url, tail) => {
        expect(hrefs(lead + url + tail), lead + url + tail).toEqual([new URL(url).href]);
      }),
    );
  });

  it("splits the message into pieces, each with its position", () => {
    const text = fc.array(
      fc.constantFrom("https://a.b", "http://x.y/(z)", " ", ".", ")", "(", "word", "🎯", "https://"),
    );
    fc.assert(
      fc.property(text, (parts) => {
        const content = parts.join("");
        let end = 0;
        for (const { text: piece, start } of splitLinks(content)) {
          expect(start).toBe(end);
          expect(piece.length).toBeGreaterThan(0);
          end += piece.length;
        }
        expect(end).toBe(content.length);
      }),
    );
  });

  it("is found quickly even in the longest message", () => {
    for (const piece of ["https://", "https://a.b/(", "https://a.b/)", "http:https:", "_", "https://a.b/’’"]) {
      const spent = measureCpuTime(() => splitLinks(piece.repeat(2_000).slice(0, 2_000)));
      expect(spent, piece).toBeLessThan(1_000);
    }
  });

  it("leaves the message's text unchanged", () => {
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
  it("expires once its room has been silent for ten minutes", () => {
    const now = at("20:00:00");
    expect(currentPresence({ state: "online", seenAt: at("19:51:00") }, now)).toBe("online");
    expect(currentPresence({ state: "away", seenAt: at("19:51:00") }, now)).toBe("away");
    expect(currentPresence({ state: "online", seenAt: at("19:49:00") }, now)).toBe("offline");
    expect(currentPresence(null, now)).toBe("offline");
  });
});
