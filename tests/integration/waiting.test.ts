import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { suspendAccount } from "../../app/features/moderation/decisions/suspension.server";
import { lfgPosts } from "../../db/schema";
import { useApp } from "../support/app";
import type { Client } from "../support/client";
import { links, main } from "../support/html";
import { LOCAL_KEYS } from "../support/mailbox";
import { roundTrips } from "../support/server-timing";
import { openInbox } from "../support/socket";
import type { Visitor } from "./talk";
import { pressTeamButton, teamsIn } from "./teams";

const app = useApp();
const { requestOf, stateOf, newsOf, newPost, accept } = teamsIn(app);

const expire = (postId: string) =>
  app.db
    .update(lfgPosts)
    .set({ expiresAt: new Date(Date.now() - 1) })
    .where(eq(lfgPosts.id, postId));

/** The text of a post's page. */
const pageOf = async (client: Client, postId: string) => main((await client.get(`/lfg/${postId}`)).text);

/** The ways in which a post can end before its author has answered. */
const ENDS: [string, (author: Visitor, postId: string) => Promise<unknown>][] = [
  ["the author closes the post", ({ client }, postId) => pressTeamButton(client, postId, "close")],
  [
    "the post expires",
    async (_, postId) => {
      await expire(postId);
      await app.runScheduled();
    },
  ],
  [
    "the author is suspended",
    ({ player }) =>
      suspendAccount(
        { db: app.db, env: LOCAL_KEYS, now: new Date(), origin: app.url },
        player.id,
        { reason: "Spam" },
        { operator: "test" },
      ),
  ],
  [
    "the author asks for their account to be deleted",
    ({ player, client }) => client.post("/dashboard/settings/delete-account", { email: player.email }),
  ],
];

describe("A player who waits for an answer", () => {
  test.each(ENDS)("is told once that the post closed before their request was answered, when %s", async (_, end) => {
    const { author, postId, askers } = await newPost(2, 2);
    await app.db.update(lfgPosts).set({ title: "Two for Bind" }).where(eq(lfgPosts.id, postId));
    await end(author, postId);
    await end(author, postId);
    for (const { player, client } of askers) {
      expect(await stateOf(postId, player)).toBe("lapsed");
      expect(await newsOf(player, `post:${postId}`)).toEqual([
        { kind: "join-declined", title: "Two for Bind", reason: "closed", count: 1, causedBy: author.player.id },
      ]);
      const bell = await client.get("/dashboard/notifications");
      expect(links(bell.text)).toContainEqual({
        text: expect.stringContaining("“Two for Bind” closed before your request was answered"),
        href: `/lfg/${postId}`,
      });
      expect(await pageOf(client, postId)).toContain("The post closed before your request was answered.");
    }
  });

  test("is told in open tabs, and closing the post takes two round trips", async () => {
    const { author, postId, askers } = await newPost(1, 1);
    const [asker] = askers as [Visitor];
    const inbox = await openInbox(asker.client);
    const answer = await pressTeamButton(author.client, postId, "close");
    expect([answer.status, roundTrips(answer)]).toEqual([303, 2]);
    await inbox.next("unread", ({ notifications }) => notifications === 1);
    inbox.close();
  });
});

describe("A post that ends", () => {
  test("changes nothing for its team, for declined or withdrawn requests, or for other posts", async () => {
    const { author, postId, askers } = await newPost(3, 3);
    const [member, declined, withdrawn] = askers as [Visitor, Visitor, Visitor];
    const other = await newPost(1, 1);
    await accept(author, postId, member);
    await pressTeamButton(author.client, postId, "decline", (await requestOf(postId, declined.player)).id);
    await pressTeamButton(withdrawn.client, postId, "withdraw");
    await pressTeamButton(author.client, postId, "close");
    await app.runScheduled();
    expect(await Promise.all(askers.map(({ player }) => stateOf(postId, player)))).toEqual([
      "accepted",
      "declined",
      "withdrawn",
    ]);
    expect(await stateOf(other.postId, (other.askers[0] as Visitor).player)).toBe("pending");
  });
});
