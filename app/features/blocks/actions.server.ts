import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import type { RequestContext } from "~/platform/context";
import { answerButton } from "~/platform/forms/answer-form.server";
import { blockPlayer, unblockPlayer } from "./commands.server";
import { BLOCK_INTENTS, type BlockIntent } from "./rules";

interface OtherPlayer {
  id: string;
  name: string;
}

/**
 * Handles the button that blocks or unblocks a player (`intent`). Repeating either has no effect.
 * @param page.find finds the other player, in the same round trip as the session check; null if there is none
 * @param page.to the page to redirect to
 */
export async function answerBlockButton(
  args: ActionFunctionArgs,
  page: {
    find: (userId: string) => Promise<OtherPlayer | null>;
    to: string;
  },
) {
  const { context, request } = args;
  const intent = parseIntent((await request.formData()).get("intent"));
  return answerButton(args, {
    limit: "block",
    to: page.to,
    alongside: ({ userId }) => page.find(userId),
    async run({ viewer, found: other }) {
      if (intent === "unblock") {
        await unblock(context, viewer.id, other.id);
        return { title: `${other.name} is unblocked` };
      }
      const { chats, hasFollowUps } = await blockPlayer(context.db, viewer.id, other.id, context.now);
      for (const id of hasFollowUps ? [viewer.id, other.id] : []) {
        context.defer(() => carryOutFollowUps(context, { kind: "player", id }));
      }
      // Called even if this request removed no news: an earlier one may have, and its response may have been lost.
      tellUnread(context, viewer.id, other.id);
      tellChats(context, chats);
      return { title: `${other.name} is blocked`, description: "You can't message each other any more." };
    },
  });
}

/** Unblocks a player, and reloads the two players' open chats. */
export async function unblock(context: RequestContext, userId: string, otherId: string): Promise<void> {
  tellChats(context, await unblockPlayer(context.db, userId, otherId));
}

/** Makes everyone in these chats reconnect, because rooms store with each socket which players it may see. */
function tellChats(context: RequestContext, chats: readonly { id: string }[]): void {
  for (const { id } of chats) tellConversation(context, id, { type: "changed" });
}

/** @throws a 400 response for an unknown intent */
function parseIntent(value: FormDataEntryValue | null): BlockIntent {
  const intent = BLOCK_INTENTS.find((known) => known === value);
  if (!intent) throw new Response("No such button", { status: 400 });
  return intent;
}
