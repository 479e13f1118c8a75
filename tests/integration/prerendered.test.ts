import { expect, test } from "vitest";
import { useApp } from "../support/app";
import { postTitles } from "../support/html";
import { addPost, newVisitor, unique } from "./players";

const app = useApp();

const count = (text: string, word: string) => text.split(word).length - 1;

test("LFG's HTML has each card's words once, and a navigation to LFG gets them as data", async () => {
  const author = await newVisitor(app);
  const [title, message] = [unique("Once "), unique("Said once ")];
  await addPost(app, author.player.id, { title, message });
  const { client } = await newVisitor(app);
  const page = await client.get("/dashboard");
  expect(postTitles(page.text)).toContain(title);
  expect([count(page.text, title), count(page.text, message)]).toEqual([1, 1]);
  const data = await client.get("/dashboard.data");
  expect([count(data.text, title), count(data.text, message)]).toEqual([1, 1]);
  // For an author's own post, the script also gets `listed`, to move the card before the server answers a bump. It
  // still doesn't get the card's text.
  const own = await author.client.get("/dashboard");
  expect(count(own.text, message)).toBe(1);
});
