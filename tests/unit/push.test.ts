import { describe, expect, test } from "vitest";
import { quietUntil, quietZone, wordPush } from "../../app/features/notifications/push/rules";
import { tagOf } from "../../app/features/notifications/push/tags.server";
import { decryptPush, readVapid } from "../../scripts/local/push-encryption";
import { createVapidKeys } from "../../scripts/local/vapid-keys";

const at = (text: string) => new Date(text);
const end = (now: string, from: number, until: number, zone: string) => {
  const moment = quietUntil(at(now), { from, until }, zone);
  return moment === null ? null : new Date(moment).toISOString();
};

describe("Quiet hours", () => {
  test("begin and end on the player's clock, and may cross midnight", () => {
    expect(end("2026-11-23T21:59:59Z", 23, 8, "Europe/Berlin")).toBeNull();
    expect(end("2026-11-23T22:00:00Z", 23, 8, "Europe/Berlin")).toBe("2026-11-24T07:00:00.000Z");
    expect(end("2026-11-24T06:59:59Z", 23, 8, "Europe/Berlin")).toBe("2026-11-24T07:00:00.000Z");
    expect(end("2026-11-24T07:00:00Z", 23, 8, "Europe/Berlin")).toBeNull();
    expect(end("2026-11-24T12:30:00Z", 9, 17, "UTC")).toBe("2026-11-24T17:00:00.000Z");
  });

  test("end at the right local time in half-hour zones and on nights when the clocks change", () => {
    expect(end("2026-11-23T20:10:00Z", 0, 6, "Asia/Kolkata")).toBe("2026-11-24T00:30:00.000Z");
    // Berlin has 2:00 twice on 25 October 2026, and no 2:30 on 29 March 2026.
    expect(end("2026-10-24T22:30:00Z", 23, 8, "Europe/Berlin")).toBe("2026-10-25T07:00:00.000Z");
    expect(end("2026-03-28T23:30:00Z", 23, 8, "Europe/Berlin")).toBe("2026-03-29T06:00:00.000Z");
    expect(end("2026-10-25T00:15:00Z", 23, 3, "Europe/Berlin")).toBe("2026-10-25T02:00:00.000Z");
  });

  test("that end in the hour skipped in spring end when the clocks are put forward", () => {
    expect(end("2026-03-29T00:30:00Z", 23, 2, "Europe/Berlin")).toBe("2026-03-29T01:00:00.000Z");
    expect(end("2026-03-08T06:30:00Z", 23, 2, "America/New_York")).toBe("2026-03-08T07:00:00.000Z");
  });

  test("are in the zone of the player's profile or browser, or in UTC if neither is known", () => {
    expect(quietZone("Europe/Berlin")).toBe("Europe/Berlin");
    expect(quietZone(null)).toBe("UTC");
    expect(quietZone("Nowhere/Else")).toBe("UTC");
  });
});

test("A push shows as much as the player allows", () => {
  const words = { sentence: "New message from Reyna", detail: "Are you on?" };
  expect(wordPush(words, "text")).toEqual({ title: "New message from Reyna", body: "Are you on?" });
  expect(wordPush(words, "name")).toEqual({ title: "New message from Reyna" });
  expect(wordPush(words, "nothing")).toEqual({ title: "You have news" });
});

test("Pushes about one conversation share a tag, and different kinds of push about one post don't", () => {
  const conversation = "conversation:1";
  expect(tagOf({ kind: "contact", subject: conversation })).toBe(tagOf({ kind: "message", subject: conversation }));
  const post = "post:1";
  expect(tagOf({ kind: "join-request", subject: post })).not.toBe(tagOf({ kind: "join-accepted", subject: post }));
});

describe("The stand-in for push services", () => {
  test("decrypts the example of RFC 8291", () => {
    const bytes = (text: string) => Buffer.from(text, "base64url");
    const body =
      "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_" +
      "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
    const keys = {
      p256dh: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
      privateKey: bytes("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
      auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
    };
    expect(decryptPush(bytes(body), keys)).toBe("When I grow up, I want to be a watermelon");
    expect(() => decryptPush(bytes(body), { ...keys, auth: Buffer.alloc(16) })).toThrow();
  });

  test("verifies the example of RFC 8292, and rejects it with another signature", () => {
    const header = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9";
    const payload =
      "eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0";
    const signature = "i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA";
    const key = "BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs";
    const read = (signed: string) => readVapid(`vapid t=${header}.${payload}.${signed}, k=${key}`);
    expect(read(signature)?.claims).toEqual({
      aud: "https://push.example.net",
      exp: 1_453_523_768,
      sub: "mailto:push@example.com",
    });
    expect(read(signature.replace("i3CY", "i3CZ"))).toBeNull();
    expect(readVapid("vapid t=a.b.c, k=BA")).toBeNull();
  });
});

test("VAPID keys have the lengths that browsers and push services expect", () => {
  for (let pair = 0; pair < 20; pair += 1) {
    const { publicKey, privateKey } = createVapidKeys();
    expect(Buffer.from(publicKey, "base64url")).toHaveLength(65);
    expect(Buffer.from(privateKey, "base64url")).toHaveLength(32);
  }
});
