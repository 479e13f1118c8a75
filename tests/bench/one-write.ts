import { openDatabase } from "../../db/client";
import { uuidv7 } from "../../db/ids";
import { messages } from "../../db/schema";
import type { App } from "../../scripts/local/app";
import type { newPair } from "../integration/players";

/**
 * Makes the write that a delivery is compared with: a message's row, straight to the database. Each write takes a
 * connection of its own, as a request's statements do.
 * @param pair whose conversation nobody has open
 * @returns a function that writes one row with a number that the conversation doesn't have yet
 */
export function makeWrite(
  { libsqlUrl, libsqlAuthToken }: Pick<App, "libsqlUrl" | "libsqlAuthToken">,
  { one, other, conversationId }: Awaited<ReturnType<typeof newPair>>,
): (seq: number) => Promise<unknown> {
  const { db } = openDatabase({ url: libsqlUrl, authToken: libsqlAuthToken });
  return async (seq) =>
    db.insert(messages).values({
      id: uuidv7(),
      conversationId,
      seq,
      senderId: one.player.id,
      receiverId: other.player.id,
      content: "One write",
      createdAt: new Date(),
    });
}
