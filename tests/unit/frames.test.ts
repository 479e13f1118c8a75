import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readConversationFrame } from "#party/wire/conversation-frames";
import { readInboxFrame } from "#party/wire/inbox-frames";
import { readTournamentFrame } from "#party/wire/tournament-frames";

const message = { id: "a", seq: 3, senderId: null, content: "Hi", createdAt: 1 };

describe("A room's frame", () => {
  test.each([
    { type: "message", message },
    { type: "hello", lastSeq: 0 },
    { type: "typing", userId: "p" },
    { type: "read", userId: "p", seq: 2 },
    { type: "presence", userId: "p", state: "away", seenAt: 5 },
    { type: "changed" },
    { type: "team" },
    { type: "match" },
  ])("is read: $type", (frame) => {
    expect(readConversationFrame(JSON.stringify(frame))).toEqual(frame);
    // A newer room may send more fields.
    expect(readConversationFrame(JSON.stringify({ ...frame, more: true }))).toEqual({ ...frame, more: true });
  });

  test("of a tournament says that something has changed", () => {
    expect(readTournamentFrame('{"type":"changed"}')).toEqual({ type: "changed" });
    expect(readTournamentFrame('{"type":"hello"}')).toBeUndefined();
  });

  test("of an inbox is read, with and without the conversation that changed", () => {
    const frame = { type: "unread", messages: 1, notifications: 2 };
    expect(readInboxFrame(JSON.stringify(frame))).toEqual(frame);
    expect(readInboxFrame(JSON.stringify({ ...frame, conversationId: "c" }))).toEqual({
      ...frame,
      conversationId: "c",
    });
  });

  test.each([
    "",
    "pong",
    "null",
    "[]",
    "7",
    '{"type":"other"}',
    '{"type":"constructor"}',
    '{"type":"message"}',
    JSON.stringify({ type: "message", message: { ...message, seq: "3" } }),
    JSON.stringify({ type: "message", message: null }),
    '{"type":"hello","lastSeq":"1"}',
    '{"type":"presence","userId":"p","state":"asleep","seenAt":1}',
    '{"type":"unread","messages":1}',
    '{"type":"unread","messages":1,"notifications":2,"conversationId":3}',
  ])("is dropped when it is not understood: %s", (frame) => {
    expect(readConversationFrame(frame)).toBeUndefined();
    expect(readInboxFrame(frame)).toBeUndefined();
  });

  test("never crashes a page, whatever the frame holds", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (frame) => {
        readConversationFrame(frame);
        readInboxFrame(frame);
      }),
    );
  });
});
