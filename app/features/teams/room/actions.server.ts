import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { tellConversation } from "~/features/messages/shared/tell-conversation.server";
import { refuseLimited } from "~/features/moderation/shared/limits.server";
import type { RequestContext } from "~/platform/context";
import { type Answer, answerForm } from "~/platform/forms/answer-form.server";
import { clearDetail, setDetail, setReady } from "./commands.server";
import type { TeamRef } from "./membership.server";
import { type RoomForm, roomIntentSchema, roomSchema } from "./schema";

/** Whether a form belongs to a team's room. */
export const isRoomForm = (form: FormData): boolean => roomIntentSchema.safeParse(form.get("intent")).success;

/**
 * Handles a form of a team's room, on any page that shows it. After the response, once the change is stored, updates
 * the open tabs of all members.
 * @param here the page that shows the room
 */
export const handleRoomForm = (
  args: ActionFunctionArgs,
  form: FormData,
  { team, here }: { team: TeamRef; here: string },
) =>
  answerForm(args, {
    schema: roomSchema,
    form,
    failed: "Error",
    limit: "teamRoom",
    to: here,
    run: ({ value, viewer }) => changeRoom(args.context, value, team, viewer.id),
  });

async function changeRoom(context: RequestContext, form: RoomForm, team: TeamRef, userId: string): Promise<Answer> {
  const changed = await carryOut(context, form, team, userId);
  switch (changed.outcome) {
    case "done":
      tellConversation(context, changed.conversationId, { type: "team" });
      return {};
    case "limited":
      return refuseLimited(context, changed);
    case "replaced":
      return { status: 409, error: "A teammate has just set another one, so it's still there." };
    case "over":
      return { status: 409, error: "This team's session is over." };
    case "left":
      return { status: 409, error: "You're no longer in this team." };
    case "alone":
      return { status: 409, error: "Everyone else has left your team." };
    case "missing":
      return "missing";
    default:
      return changed satisfies never;
  }
}

function carryOut(context: RequestContext, form: RoomForm, team: TeamRef, userId: string) {
  const { db } = context;
  switch (form.intent) {
    case "ready":
    case "not-ready":
      return setReady(db, team, userId, form.intent === "ready", context.now.getTime());
    case "set-party-code":
      return setDetail(context, team, userId, { kind: "party-code", value: form.partyCode });
    case "set-voice-link":
      return setDetail(context, team, userId, { kind: "voice-link", value: form.voiceLink });
    case "clear-party-code":
      return clearDetail(db, team, userId, { kind: "party-code", setAt: form.setAt });
    case "clear-voice-link":
      return clearDetail(db, team, userId, { kind: "voice-link", setAt: form.setAt });
    default:
      return form satisfies never;
  }
}
