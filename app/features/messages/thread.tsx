import { Form, Link, useRevalidator } from "@remix-run/react";
import { Fragment, type ReactNode, useState } from "react";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import type { FormReply } from "~/platform/forms";
import { type ConnectionState, useRoom } from "~/platform/use-room";
import { Banners } from "~/ui/avatar";
import { VerifiedMark } from "~/ui/badge";
import { BubbleRun, DaySeparator, Thread as ThreadList, TypingLine } from "~/ui/bubbles";
import { Button, ButtonLink } from "~/ui/button";
import { ChevronIcon, MoreIcon } from "~/ui/icons";
import { RankBadge } from "~/ui/rank-badge";
import { RoleChip } from "~/ui/role-chip";
import { useDismissableDetails } from "~/ui/use-dismissable-details";
import { useScripted } from "~/ui/use-scripted";
import { readConversationFrame } from "../../../party/conversation-frames";
import { Composer } from "./composer";
import type { HeadView } from "./present.server";
import {
  dateIn,
  dayWords,
  groupThread,
  haveBothWritten,
  type PresenceState,
  splitLinks,
  type ThreadMessage,
  whyClosed,
} from "./rules";
import { useGaps, usePolling, useReading, useStillWhenOlderCome, useUntil } from "./thread-effects";
import { type PendingMessage, useThread } from "./use-thread";

/** How long "is typing" is believed, in milliseconds: longer than it takes the writer's page to say it again. */
const TYPING_LASTS = 5_000;

export interface ThreadProps {
  head: HeadView;
  viewerId: string;
  messages: ThreadMessage[];
  hasOlder: boolean;
  /** This page shows older messages: there are newer ones after it. */
  isOlderPage: boolean;
  /** The id of the next message, for the form without JavaScript. */
  nextId: string;
  timeZone: string;
  /** Milliseconds since 1970. */
  now: number;
  reply: FormReply | undefined;
}

/** A conversation with one other player, or of a party: head, messages oldest first, and the form to write the next. */
export function Thread(props: ThreadProps) {
  const { head, viewerId, isOlderPage, timeZone, now, reply } = props;
  const { other, party } = head;
  const thread = useThread(head.id, viewerId, props);
  const { stored, pending, add, catchUp } = thread;
  const [seenLive, setSeenLive] = useState(0);
  const seenSeq = Math.max(seenLive, other?.lastReadSeq ?? 0);
  const [typing, setTyping] = useState({ name: head.name, until: 0 });
  // What the room has said of the other holds until the page is loaded again.
  const [live, setLive] = useState<{ over: HeadView["other"]; state: PresenceState; seenAt: number }>();
  const heard = live?.over === other ? live : undefined;
  const presence = heard?.state ?? other?.presence.state ?? "offline";
  const lastSeen = heard ? `at ${clockTime(heard.seenAt, timeZone).text}` : other?.presence.lastSeen?.ago;
  const revalidator = useRevalidator();

  const { state, send: tell } = useRoom(`/parties/conversation/${head.id}`, { onFrame: hear });

  function hear(frame: string) {
    const event = readConversationFrame(frame);
    switch (event?.type) {
      case "message":
        add([event.message]);
        if (event.message.senderId !== viewerId) setTyping((before) => ({ ...before, until: 0 }));
        break;
      case "hello":
        if (event.lastSeq > (stored.at(-1)?.seq ?? 0)) void catchUp();
        break;
      case "typing":
        if (event.userId !== viewerId) {
          const name = party?.members.find(({ id }) => id === event.userId)?.name ?? head.name;
          setTyping({ name, until: Date.now() + TYPING_LASTS });
        }
        break;
      case "read":
        if (event.userId === other?.id) setSeenLive((before) => Math.max(before, event.seq));
        break;
      case "presence":
        if (event.userId === other?.id) setLive({ over: other, state: event.state, seenAt: event.seenAt });
        break;
      case "changed":
        revalidator.revalidate();
        break;
      default:
    }
  }

  const scroll = useStillWhenOlderCome(stored);
  useGaps(stored, catchUp);
  usePolling(state, catchUp);
  useReading(stored, head.lastReadSeq, state, tell);
  const isTyping = useUntil(typing.until);

  const closed = whyClosed(head);
  const days = groupThread(stored, timeZone);
  // A page may stay open over midnight: then what came last came today.
  const today = dateIn(timeZone, Math.max(now, stored.at(-1)?.createdAt ?? 0));
  return (
    <section aria-label={`Conversation with ${head.name}`} className="thread">
      <header className="thread-head">
        <Link to="/dashboard/messages" aria-label="Back to all conversations" className="thread-back">
          <ChevronIcon className="size-6 rotate-90" />
        </Link>
        <Banners
          letters={head.letters}
          picture={other?.picture}
          presence={presence === "offline" || closed ? "none" : presence}
          size="header"
        />
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 items-center gap-2.5 font-semibold">
            {other?.id ? (
              <Link to={`/players/${other.id}`} className="truncate hover:underline hover:underline-offset-3">
                {head.name}
              </Link>
            ) : (
              <span className="truncate">{head.name}</span>
            )}
            {other?.verified && <VerifiedMark {...other.verified} />}
          </h2>
          <p className="thread-facts flex flex-wrap items-center gap-x-3.5 text-meta text-muted">
            {party && (
              <span className="min-w-0 truncate">{["You", ...party.members.map(({ name }) => name)].join(", ")}</span>
            )}
            {other?.rank && <RankBadge rank={other.rank} className="font-normal!" />}
            {other?.role && <RoleChip role={other.role} />}
            {other && !closed && <PresenceWords state={presence} lastSeen={lastSeen} />}
          </p>
        </div>
        <Connection state={state} />
        {head.teamUp && (
          <ButtonLink to={head.teamUp} size="row" className="flex-none">
            Team Up
          </ButtonLink>
        )}
        {party?.postId && (
          <ButtonLink to={`/lfg/${party.postId}`} size="row">
            Team
          </ButtonLink>
        )}
        <ThreadMenu head={head} haveTalked={haveBothWritten(stored, viewerId)} />
      </header>
      <div
        ref={scroll}
        className="thread-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="log"
        aria-label={`Messages with ${head.name}`}
        aria-live="polite"
      >
        <div className="thread-page">
          {thread.hasOlder && (
            <p data-edge className="pb-5 text-center">
              <Link
                to={`/dashboard/messages/${head.id}?before=${stored[0]?.seq ?? 0}`}
                onClick={(event) => {
                  event.preventDefault();
                  void thread.loadOlder();
                }}
                className="link inline-flex min-h-6 items-center touch:min-h-11"
              >
                Older messages
              </Link>
            </p>
          )}
          <ThreadList label={`Conversation with ${head.name}`}>
            {days.map(({ date, runs }) => (
              <Fragment key={date}>
                <DaySeparator>{dayWords(date, today)}</DaySeparator>
                {runs.map(({ senderId, messages }) => {
                  const last = messages.at(-1) as ThreadMessage;
                  const own = senderId === viewerId;
                  return (
                    <BubbleRun
                      key={messages[0]?.id}
                      own={own}
                      author={own ? "You" : party ? (last.senderName ?? UNKNOWN_PLAYER) : head.name}
                      showAuthor={party !== null && !own}
                      messages={messages.map(({ id, content }) => ({ id, content: <Content text={content} /> }))}
                      time={clockTime(last.createdAt, timeZone)}
                      {...(own && { state: last.seq <= seenSeq ? ("seen" as const) : ("sent" as const) })}
                    />
                  );
                })}
              </Fragment>
            ))}
            {pending.map(({ id, content, createdAt, state: sending }: PendingMessage) => (
              <BubbleRun
                key={id}
                own
                author="You"
                messages={[{ id, content: <Content text={content} /> }]}
                time={clockTime(createdAt, timeZone)}
                state={sending}
                onRetry={() => thread.retry(id, content)}
                onDiscard={() => thread.discard(id)}
              />
            ))}
          </ThreadList>
          {isOlderPage && (
            <p className="pt-5 text-center">
              <Link to={`/dashboard/messages/${head.id}`} className="link">
                Newest messages
              </Link>
            </p>
          )}
          <div className="pt-2">
            <TypingLine name={isTyping ? typing.name : null} />
          </div>
        </div>
      </div>
      {closed ? (
        <div className="thread-foot">
          <p className="flex-1 text-muted">{closed}</p>
          <UnsentWords reply={reply} />
        </div>
      ) : (
        <Composer
          key={head.id}
          conversationId={head.id}
          viewerId={viewerId}
          nextId={props.nextId}
          reply={reply}
          onSend={thread.send}
          onType={() => tell({ type: "typing" })}
        />
      )}
    </section>
  );
}

/** What was typed when the conversation closed: it can't be sent any more, but it can be taken along. */
function UnsentWords({ reply }: { reply: FormReply | undefined }) {
  const words = reply?.result.initialValue?.message;
  if (typeof words !== "string" || !words) return null;
  return (
    <label className="grid flex-1 gap-1 text-meta text-muted">
      What you wrote
      <textarea readOnly rows={3} defaultValue={words} className="control" />
    </label>
  );
}

/** What else can be done with the other player. */
function ThreadMenu({ head, haveTalked }: { head: HeadView; haveTalked: boolean }) {
  const menu = useDismissableDetails();
  if (head.party || head.isGone) return null;
  const here = `/dashboard/messages/${head.id}`;
  return (
    <details ref={menu} className="thread-menu">
      <summary>
        <span className="sr-only">More</span>
        <MoreIcon />
      </summary>
      <div className="thread-menu-items">
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

function PresenceWords({ state, lastSeen }: { state: PresenceState; lastSeen?: string | undefined }) {
  const words = state === "offline" ? lastSeen && `Last seen ${lastSeen}` : PRESENCE_WORDS[state];
  return words ? <span className="max-md:order-first">{words}</span> : null;
}

const PRESENCE_WORDS = { online: "Online", away: "Away" };

const CONNECTION_WORDS: Record<ConnectionState, string> = {
  connecting: "Connecting…",
  open: "Live",
  closed: "Not connected",
};

/** Whether new messages come by themselves; without script there is nothing to connect. */
function Connection({ state }: { state: ConnectionState }) {
  const scripted = useScripted();
  return (
    <p role="status" className={`thread-connection ${state === "open" ? "max-md:sr-only" : ""}`}>
      {scripted && (
        <>
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${state === "open" ? "bg-good" : "border border-edge"}`}
          />
          {CONNECTION_WORDS[state]}
        </>
      )}
    </p>
  );
}

/** A message's text, its addresses made links that tell the other site nothing. */
function Content({ text }: { text: string }): ReactNode {
  return splitLinks(text).map(({ text: part, start, href }) =>
    href ? (
      <a
        key={start}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="break-all underline underline-offset-3"
      >
        {part}
      </a>
    ) : (
      <Fragment key={start}>{part}</Fragment>
    ),
  );
}

function clockTime(moment: number, timeZone: string) {
  const format = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return { iso: new Date(moment).toISOString(), text: format.format(moment) };
}
