import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deletionCommand, holdsPictures, placeOfDevPictures, placeOfPictures } from "../../scripts/local/bucket";

const dev = { dir: ".data/wrangler" };

test.each([
  ["libsql://lineup-owner.turso.io", "remote", undefined],
  ["https://db.example.com:8443", "remote", undefined],
  ["https://DB.Example.COM.", "remote", undefined],
  ["http://127.0.0.1:8080", undefined, dev],
  ["http://127.1:8080", undefined, dev],
  ["http://localhost:8080", undefined, dev],
  ["http://[::1]:8080", undefined, dev],
  ["http://sqld:8080", undefined, undefined],
  ["http://host.docker.internal:8080", undefined, undefined],
  ["http://sqld.default.svc.cluster.local", undefined, undefined],
  ["http://db.localhost:8080", undefined, undefined],
  ["http://nas.lan:8080", undefined, undefined],
  ["http://nas.home.arpa:8080", undefined, undefined],
  ["http://0.0.0.0:8080", undefined, undefined],
  ["http://10.0.0.5:8080", undefined, undefined],
  ["libsql://192.168.1.20:8080", undefined, undefined],
  ["http://[fd00::5]:8080", undefined, undefined],
  ["https://203.0.113.7", undefined, undefined],
])("The pictures of the database %s are in %s, or in %j if `npm run dev` uses it", (url, place, devPlace) => {
  expect([placeOfPictures(url), placeOfDevPictures(url)]).toEqual([place, devPlace]);
});

test("A folder holds pictures if `wrangler dev` has stored one there", () => {
  const dir = mkdtempSync(join(tmpdir(), "lineup-bucket-"));
  try {
    expect([holdsPictures(dir), holdsPictures(join(dir, "missing"))]).toEqual([false, false]);
    mkdirSync(join(dir, "v3/r2/another-bucket"), { recursive: true });
    expect(holdsPictures(dir)).toBe(false);
    mkdirSync(join(dir, "v3/r2/lineup-avatars"));
    expect(holdsPictures(dir)).toBe(true);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test("A folder with a space in its name stays one argument of the command", () => {
  expect(deletionCommand({ dir: "/home/me/my data" }, "abc")).toBe(
    "npx wrangler r2 object delete lineup-avatars/abc --local --persist-to '/home/me/my data'",
  );
});
