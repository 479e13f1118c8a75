import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { haveMetByTalking, MET_DURATION, MET_MESSAGES } from "../../app/features/encounters/rules";

/** A conversation in which one player's messages all come before the other's, at equal intervals. */
const talk = (own: number, theirs: number, duration: number) => {
  const senders = [...Array<string>(own).fill("me"), ...Array<string>(theirs).fill("them")];
  return senders.map((senderId, index) => ({ senderId, createdAt: (duration * index) / (senders.length - 1) }));
};

describe("Two players have met by talking", () => {
  test("when each has written five messages over ten minutes, and not one message or moment earlier", () => {
    expect(haveMetByTalking(talk(5, 5, 10 * 60_000), "me")).toBe(true);
    expect(haveMetByTalking(talk(4, 50, 10 * 60_000), "me")).toBe(false);
    expect(haveMetByTalking(talk(50, 4, 10 * 60_000), "me")).toBe(false);
    expect(haveMetByTalking(talk(5, 5, 10 * 60_000 - 1), "me")).toBe(false);
    expect(haveMetByTalking([], "me")).toBe(false);
  });

  test("whichever of the two looks, and however the messages are ordered", () => {
    const count = fc.integer({ min: 0, max: 2 * MET_MESSAGES });
    fc.assert(
      fc.property(
        count,
        count,
        fc.integer({ min: 0, max: 2 * MET_DURATION }),
        fc.nat(),
        (own, theirs, duration, cut) => {
          const messages = talk(own, theirs, duration);
          const at = messages.length === 0 ? 0 : cut % messages.length;
          const turned = [...messages.slice(at), ...messages.slice(0, at)];
          const met = haveMetByTalking(messages, "me");
          expect(haveMetByTalking(turned, "me")).toBe(met);
          expect(haveMetByTalking(messages, "them")).toBe(met);
        },
      ),
    );
  });

  test("but not with a player whose account is gone", () => {
    const messages = talk(5, 5, MET_DURATION).map((message) =>
      message.senderId === "them" ? { ...message, senderId: null } : message,
    );
    expect(haveMetByTalking(messages, "me")).toBe(false);
  });
});
