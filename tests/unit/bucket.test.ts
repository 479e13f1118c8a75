import { expect, test } from "vitest";
import { deletionCommand, placeOfPictures } from "../../scripts/local/bucket";

test.each([
  ["libsql://lineup-owner.turso.io", "remote"],
  ["https://db.example.com:8443", "remote"],
  ["http://127.0.0.1:8080", undefined],
  ["http://localhost:8080", undefined],
  ["http://[::1]:8080", undefined],
])("The database %s has its pictures in the place %s", (url, place) => {
  expect(placeOfPictures(url)).toBe(place);
});

test("A folder with a space in its name stays one argument of the command", () => {
  expect(deletionCommand({ dir: "/home/me/my data" }, "abc")).toBe(
    "npx wrangler r2 object delete lineup-avatars/abc --local --persist-to '/home/me/my data'",
  );
});
