import { Form, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { initial } from "~/features/players/rules";
import type { FormReply } from "~/platform/forms/forms";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";
import { ChevronIcon } from "~/ui/icons";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import { Handle } from "./handle";
import type { RoomView } from "./present.server";
import { ReadyMark } from "./ready-mark";
import { FeedbackQuestion, ReadyButton, RoomPanel } from "./room-panel";

/** A team's room above its chat: one line that unfolds. */
export function ChatRoom({
  room: { members, now, feedback, isHidden },
  viewerId,
  here,
  isOpen,
  reply,
}: {
  room: RoomView;
  viewerId: string;
  /** The path of the chat. */
  here: string;
  /** Whether the room is unfolded at first. From then on it stays as the player leaves it, whatever reloads change. */
  isOpen: boolean;
  reply: FormReply | undefined;
}) {
  useReplyToast(reply);
  const fold = useRef<HTMLDetailsElement>(null);
  const [wasOpen] = useState(isOpen);
  useEffect(() => {
    // On phones the keyboard would leave no room for the messages.
    const foldForWriting = ({ target }: FocusEvent) => {
      if (target instanceof HTMLTextAreaElement && innerWidth < 700) fold.current?.removeAttribute("open");
    };
    document.addEventListener("focusin", foldForWriting);
    return () => document.removeEventListener("focusin", foldForWriting);
  }, []);
  const leave = isHidden && <LeaveTeam here={here} />;
  if (!now) {
    return (
      <div>
        {feedback && <FeedbackQuestion feedback={feedback} />}
        {leave && <div className="room-head">{leave}</div>}
      </div>
    );
  }
  return (
    <div className="room-strip">
      <details ref={fold} open={wasOpen}>
        <summary>
          <span className="room-next">{now.nextStep}</span>
          <span className="room-count">
            {now.readyCount} of {members.length} ready
            <ChevronIcon className="size-4" />
          </span>
        </summary>
        <div className="room-fold">
          <ul aria-label="Your team" className="room-members">
            {members.map(({ userId, name, picture, role, riotId, isReady }) => (
              <li key={userId}>
                <Avatar letter={initial(name)} picture={picture} isYou={userId === viewerId} size="small" />
                <div className="min-w-0 flex-1">
                  <p className="room-member">
                    <bdi className="font-semibold wrap-anywhere">{userId === viewerId ? "You" : name}</bdi>
                    {role && <span className="text-muted">{role}</span>}
                    {isReady && <ReadyMark />}
                  </p>
                  <dl>
                    <Handle name="Riot ID" value={riotId} isOwn={userId === viewerId} />
                  </dl>
                </div>
              </li>
            ))}
          </ul>
          <RoomPanel room={now} here={here} reply={reply} />
          {leave}
        </div>
      </details>
      <ReadyButton room={now} here={here} size="row" />
    </div>
  );
}

/** The button for leaving a team whose post's page is hidden from the player. */
function LeaveTeam({ here }: { here: string }) {
  const busy = useNavigation().formData?.get("intent") === "leave";
  return (
    <Form method="post" action={here} className="-ml-[13px]">
      <Button name="intent" value="leave" variant="quiet" size="row" busy={busy}>
        Leave Team
      </Button>
    </Form>
  );
}
