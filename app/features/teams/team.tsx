import { Form, useNavigation } from "@remix-run/react";
import { PeopleSection, PlayerLine, playerNameId } from "~/features/players/shared/player-line";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { Handle } from "./room/handle";
import type { RoomView } from "./room/present.server";
import { ReadyMark } from "./room/ready-mark";
import { FeedbackQuestion, ReadyButton, RoomPanel } from "./room/room-panel";

/**
 * The team of a post, shown only to its members: the next step, the details of their session, and their names in the
 * game and on Discord.
 */
export function Team({
  viewerId,
  room: { members, now, feedback },
  conversationId,
  here,
  reply,
}: {
  viewerId: string;
  room: RoomView;
  conversationId: string | null;
  /** The path of the post's page. */
  here: string;
  /** The reply to a form of the room. */
  reply: FormReply | undefined;
}) {
  const pressed = useNavigation().formData;
  const isAuthor = members[0]?.userId === viewerId;
  const chat = conversationId && <ButtonLink to={`/dashboard/messages/${conversationId}`}>Team Chat</ButtonLink>;
  return (
    <PeopleSection id="team" title="Your team">
      {now ? (
        <div className="room-sheet">
          <div className="room-head">
            <div className="min-w-0">
              <p className="room-next">{now.nextStep}</p>
              <p className="mt-0.5 text-meta text-muted">
                {now.readyCount} of {members.length} ready{!isAuthor && " · You're in"}
              </p>
            </div>
            <div className="flex flex-none gap-2">
              {chat}
              <ReadyButton room={now} here={here} />
            </div>
          </div>
          <RoomPanel room={now} here={here} reply={reply} />
        </div>
      ) : (
        feedback && (
          <div className="room-sheet">
            <FeedbackQuestion feedback={feedback} />
          </div>
        )
      )}
      <ul>
        {members.map((member) => (
          <PlayerLine
            key={member.userId}
            player={member}
            isYou={member.userId === viewerId}
            tag={member.userId === viewerId ? "You" : undefined}
            mark={member.isReady && <ReadyMark />}
            actions={
              isAuthor &&
              member.requestId && (
                <Form method="post" preventScrollReset className="flex-none max-md:-ml-[13px]">
                  <input type="hidden" name="request" value={member.requestId} />
                  <Button
                    name="intent"
                    value="remove"
                    variant="quiet"
                    size="row"
                    busy={pressed?.get("request") === member.requestId}
                    aria-describedby={playerNameId(member.userId)}
                  >
                    Remove
                  </Button>
                </Form>
              )
            }
          >
            <dl className="mt-2 flex flex-wrap gap-x-7 gap-y-1 text-meta">
              <Handle name="Riot ID" value={member.riotId} isOwn={member.userId === viewerId} />
              <Handle name="Discord" value={member.discordTag} isOwn={member.userId === viewerId} />
            </dl>
          </PlayerLine>
        ))}
      </ul>
      {(!isAuthor || !now) && (
        <div className="actions flex flex-wrap items-center gap-2 border-t border-line pt-5">
          {!now && chat}
          {!isAuthor && (
            <Form method="post" preventScrollReset>
              <Button name="intent" value="leave" variant="quiet" busy={pressed?.get("intent") === "leave"}>
                Leave Team
              </Button>
            </Form>
          )}
        </div>
      )}
    </PeopleSection>
  );
}
