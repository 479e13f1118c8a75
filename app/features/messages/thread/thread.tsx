import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { PresenceState } from "#party/wire/presence";
import { haveMetByTalking } from "~/features/encounters/rules";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import type { FormReply } from "~/platform/forms/forms";
import { Button, ButtonLink } from "~/ui/button";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { useDismissableDetails } from "~/ui/hooks/use-dismissable-details";
import { ChevronIcon, MoreIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { ConversationBanner } from "../conversation-banner";
import type { HeadView } from "../present.server";
import { type ThreadEvent, whyClosed } from "../rules";
import { Composer } from "../shared/composer";
import { Connection } from "../shared/connection";
import { ThreadLog } from "../shared/thread-log";
import { UnsentWords } from "../shared/unsent-words";
import { type LiveThread, type ThreadPage, useLiveThread } from "../shared/use-live-thread";
import { useClosedDraft } from "./use-draft";

/** A conversation with one other player or of a party: the head, the messages oldest first, and the composer. */
export function Thread({
  page,
  reply,
  room,
  events,
}: {
  page: ThreadPage;
  reply: FormReply | undefined;
  /** The events of the match whose chat it is. */
  events: readonly ThreadEvent[] | undefined;
  /** The room of the team whose chat it is, between the head and the messages. */
  room?: ReactNode;
}) {
  const { head, viewerId } = page;
  const { other, party } = head;
  const live = useLiveThread(page);
  const { presence, lastSeen } = live;
  const closed = whyClosed(head);
  const draft = useClosedDraft(viewerId, head.id, closed !== null);
  const here = `/dashboard/messages/${head.id}`;
  const members = party && ["You", ...party.members.map(({ name }) => name)].join(", ");
  return (
    <section aria-label={`Conversation with ${head.name}`} className="thread" data-room={room ? "" : undefined}>
      <header className="thread-head">
        <ThreadBack />
        <ConversationBanner
          letters={head.letters}
          picture={other?.picture}
          presence={presence === "offline" || closed ? "none" : presence}
          size="header"
        />
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 items-center gap-2.5 font-semibold">
            {other?.id ? (
              <Link
                to={`/players/${other.id}`}
                title={head.name}
                className="truncate hover:underline hover:underline-offset-3"
              >
                {head.name}
              </Link>
            ) : (
              <span title={head.name} className="truncate">
                {head.name}
              </span>
            )}
            {other?.verified && <VerifiedMark {...other.verified} wordClass="max-md:sr-only" />}
          </h2>
          <p className="thread-facts flex flex-wrap items-center gap-x-3.5 text-meta text-muted">
            {members && (
              <span title={members} className="min-w-0 truncate">
                {members}
              </span>
            )}
            {other?.rank && <RankBadge rank={other.rank} className="font-normal!" />}
            {other?.role && (
              <RoleChip
                role={other.role}
                className="max-md:h-[18px] max-md:min-w-[15px] max-md:shrink! max-md:flex-wrap max-md:overflow-hidden"
              />
            )}
            {other && !closed && <PresenceWords state={presence} lastSeen={lastSeen} />}
          </p>
        </div>
        {!closed && <Connection state={live.connection} />}
        {head.teamUp && (
          <ButtonLink to={head.teamUp} size="row" className="flex-none max-md:hidden">
            Team Up
          </ButtonLink>
        )}
        {party?.postId && (
          <ButtonLink to={`/lfg/${party.postId}`} size="row">
            Team
          </ButtonLink>
        )}
        {party?.match && (
          <ButtonLink to={party.match} size="row">
            Match
          </ButtonLink>
        )}
        {party?.tournament && (
          <ButtonLink to={party.tournament} size="row">
            Tournament
          </ButtonLink>
        )}
        <ThreadMenu head={head} haveTalked={haveMetByTalking(live.stored, viewerId)} />
      </header>
      {room}
      <ThreadLog
        page={page}
        live={live}
        here={here}
        events={events}
        empty={room ? "Say hi in team chat." : undefined}
      />
      {closed ? (
        <div className="thread-foot flex-col">
          <p className="flex-1 text-muted">{closed}</p>
          <UnsentWords reply={reply} draft={draft} />
        </div>
      ) : (
        <Composer
          conversationId={head.id}
          viewerId={viewerId}
          nextId={page.nextId}
          here={here}
          takesFocus
          reply={reply}
          onSend={live.send}
          onType={live.sendTyping}
        />
      )}
    </section>
  );
}

/** The link back to the list on phones, where a conversation fills the screen. */
export function ThreadBack() {
  return (
    <Link
      to="/dashboard/messages"
      aria-label="Back to all conversations"
      title="Back to all conversations"
      className="thread-back"
    >
      <ChevronIcon className="size-6 rotate-90" />
    </Link>
  );
}

/** The menu of further actions for the other player. */
function ThreadMenu({ head, haveTalked }: { head: HeadView; haveTalked: boolean }) {
  const menu = useDismissableDetails();
  if (head.party || head.isGone) return null;
  const here = `/dashboard/messages/${head.id}`;
  return (
    <details ref={menu} className="thread-menu">
      <summary title="More">
        <span className="sr-only">More</span>
        <MoreIcon />
      </summary>
      <div className="thread-menu-items">
        {head.teamUp && (
          <ButtonLink to={head.teamUp} variant="quiet" size="row" className="md:hidden">
            Team Up
          </ButtonLink>
        )}
        {haveTalked && (
          <ButtonLink to={`/players/${head.other?.id}/feedback`} variant="quiet" size="row">
            Feedback
          </ButtonLink>
        )}
        {head.hasBlocked ? (
          <Form method="post" action={`${here}/block`}>
            <Button name="intent" value="unblock" variant="quiet" size="row">
              Unblock
            </Button>
          </Form>
        ) : (
          <ButtonLink to={`${here}/block`} variant="quiet" size="row" preventScrollReset>
            Block
          </ButtonLink>
        )}
        <ButtonLink to={`${here}/report`} variant="quiet" size="row" preventScrollReset>
          Report
        </ButtonLink>
      </div>
    </details>
  );
}

function PresenceWords({ state, lastSeen }: { state: PresenceState; lastSeen: LiveThread["lastSeen"] }) {
  if (state !== "offline") return <span className="max-md:order-first">{PRESENCE_WORDS[state]}</span>;
  if (!lastSeen) return null;
  return (
    <span className="max-md:order-first">
      <span className="max-md:sr-only">Last seen </span>
      <span className="max-md:hidden">{lastSeen.words}</span>
      <span className="md:hidden">{lastSeen.short}</span>
    </span>
  );
}

const PRESENCE_WORDS = { online: "Online", away: "Away" };
