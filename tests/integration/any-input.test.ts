import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uuidv7 } from "../../db/ids";
import { lfgPosts } from "../../db/schema";
import { useApp } from "../support/app";
import { addPost, newVisitor, withoutPresence } from "./players";

const app = useApp();

const NEW = "/dashboard/lfg/new";
const postOf = (id: string) => app.db.select().from(lfgPosts).where(eq(lfgPosts.id, id)).get();

describe("Any input at all", () => {
  test("causes no server error in the forms for accounts, posts and Riot IDs", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const paths = [
      "/auth",
      "/auth?tab=sign-up",
      "/auth?tab=sign-up&step=2",
      NEW,
      `/lfg/${post}`,
      `/lfg/${post}/edit`,
      `/lfg/${uuidv7()}/edit`,
      "/lfg/x/delete",
      "/dashboard",
      "/riot-api/verify-account",
      "/no/such/page",
    ];
    const names = [
      "intent",
      "id",
      "title",
      "message",
      "neededPlayers",
      "requiredRank",
      "region",
      "email",
      "gameName",
      "tagLine",
      "returnTo",
      "redirectTo",
    ];
    const odd = ["__proto__", "constructor", "title[]", "title.x", "a[0].b", "__intent__", "", "🎮", "x".repeat(500)];
    const values = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        "",
        "verify",
        "complete",
        "back",
        "close",
        "bump",
        "1",
        "-1",
        "NaN",
        "null",
        "[object Object]",
        "Gold 1",
        "\u0000",
        "\ud800",
        "../..",
        "<script>",
        "x".repeat(2_000),
        uuidv7(),
      ),
    );
    const form = fc.array(
      fc.tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, fc.constantFrom(...odd)), values),
      { maxLength: 8 },
    );
    const signedOut = app.client();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        form,
        fc.constantFrom("url", "multipart", "data"),
        fc.boolean(),
        async (path, fields, kind, isSignedIn) => {
          // No field is named `password`, because hashing every password would take too long.
          const speaker = isSignedIn ? client : signedOut;
          const body = kind === "multipart" ? new FormData() : new URLSearchParams();
          for (const [name, value] of fields) body.append(name, value);
          const [pathname = "", search = ""] = path.split("?");
          const address = kind === "data" && !path.startsWith("/riot-api") ? `${pathname}.data?${search}` : path;
          const answer = await speaker.request(address, { method: "POST", body });
          expect(answer.status, `${kind} ${path} ${JSON.stringify(fields)}`).toBeLessThan(500);
        },
      ),
      { numRuns: 150 },
    );
    expect(await postOf(post)).toBeDefined();
  });

  test("as a malformed body causes no server error", async () => {
    const { client } = await newVisitor(app);
    const bodies: [string, string][] = [
      ["multipart/form-data", "no boundary"],
      ["multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=title\r\n\r\ncut"],
      ["multipart/form-data; boundary=x", "--x--"],
      ["multipart/form-data; boundary=", "a=b"],
      ["application/x-www-form-urlencoded", "%E0%A4%A&&==&=x&title=%"],
      ["application/x-www-form-urlencoded", ""],
      ["application/x-www-form-urlencoded; charset=utf-16", "title=x"],
      ["application/json", "{"],
      ["text/plain", "title=x"],
      ["", "title=x"],
    ];
    for (const path of [NEW, "/auth", "/auth/sign-out", `/lfg/${uuidv7()}`, "/riot-api/verify-account"]) {
      for (const [type, body] of bodies) {
        const answer = await client.request(path, { method: "POST", body, headers: { "Content-Type": type } });
        expect(answer.status, `${type} to ${path}`).toBeLessThan(500);
      }
    }
  });

  test("with any method causes no server error", async () => {
    const { client, player } = await newVisitor(app);
    const post = await addPost(app, player.id);
    const before = await postOf(post);
    for (const path of ["/dashboard", NEW, `/lfg/${post}`, `/lfg/${post}/edit`, `/lfg/${post}/delete`]) {
      for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "PROPFIND"]) {
        const answer = await client.request(path, { method });
        expect(answer.status, `${method} ${path}`).toBe(method === "HEAD" ? 200 : 405);
      }
    }
    expect(withoutPresence(await postOf(post))).toEqual(withoutPresence(before));
  });
});
