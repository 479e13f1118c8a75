import { Fragment, useState } from "react";
import { blockPage, HIDDEN_MESSAGE } from "~/features/blocks/rules";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { clockTime, dateIn, dayWords } from "~/platform/dates/dates";
import { useIsOnline } from "~/platform/network";
import { Link } from "~/ui/link";
import { scrolls } from "~/ui/page/scrolls";
import { groupThread, mergeEvents, type ThreadEvent, type ThreadMessage } from "../rules";
import { BubbleRun, Separator, Thread as ThreadList, TypingLine } from "../thread/bubbles";
import { useStableScroll } from "../thread/thread-effects";
import { LinkedText } from "./linked-text";
import type { LiveThread, ThreadPage } from "./use-live-thread";

/** The messages of a conversation, oldest first, in a scrolling pane that starts at its end. */
export function ThreadLog({
  page,
  live,
  here,
  describe,
  events = [],
  empty,
}: {
  page: ThreadPage;
  live: LiveThread;
  /** The path of the page that shows the messages. */
  here: string;
  /** Returns a word to show beside an author's name in a party, such as their team. */
  describe?: (senderId: string | null) => string | null | undefined;
  /** The events between the messages, oldest first. */
  events?: readonly ThreadEvent[] | undefined;
  /** Shown until the first message. */
  empty?: string | undefined;
}) {
  const { head, viewerId, dates, zoneNote, now } = page;
  const { stored, pending, isOlderPage } = live;
  const online = useIsOnline();
  const scroll = useStableScroll(stored);
  /** The page as it was when opened: screen readers announce only newer messages. */
  const [opened] = useState(page);
  const edges = { older: !live.hasOlder, newer: !isOlderPage };
  const days = groupThread(mergeEvents(stored, events, edges), dates.timeZone);
  // The page may stay open past midnight: the day of the latest message is then today.
  const today = dateIn(dates.timeZone, Math.max(now, stored.at(-1)?.createdAt ?? 0));

  function authorOf({ senderId, senderName, isHidden }: ThreadMessage): string {
    if (senderId === viewerId) return "You";
    if (isHidden) return "A player you blocked";
    return head.party ? [senderName ?? UNKNOWN_PLAYER, describe?.(senderId)].filter(Boolean).join(", ") : head.name;
  }

  function contentOf({ id, seq, content, leaving, isHidden }: ThreadMessage) {
    if (!isHidden) return <LinkedText text={content} leaving={leaving} />;
    // The page without `before` holds only the newest messages.
    const isOlder = page.isOlderPage || seq < (page.messages[0]?.seq ?? 0);
    const place = new URLSearchParams({ ...(isOlder && { before: `${seq + 1}` }), show: id });
    return (
      <>
        <span className="text-muted">{HIDDEN_MESSAGE}</span>{" "}
        <Link to={`${here}?${place}`} preventScrollReset className="link">
          Show
        </Link>
      </>
    );
  }

  return (
    <div
      ref={scroll}
      className="thread-scroll"
      // Tells `useInbox` which conversation's newest messages are in view. A page of older messages doesn't show them.
      id={isOlderPage ? undefined : head.id}
      {...scrolls}
      role="log"
      aria-label={`Messages with ${head.name}`}
      aria-live="polite"
    >
      <div className="thread-page">
        {live.hasOlder && (
          <p data-edge className="pb-5 text-center">
            <Link
              to={`${here}?before=${stored[0]?.seq ?? 0}`}
              onClick={(event) => {
                event.preventDefault();
                void live.loadOlder();
              }}
              className="link inline-flex min-h-6 items-center touch:min-h-11"
            >
              Older messages
            </Link>
          </p>
        )}
        {empty && stored.length + pending.length === 0 && (
          <p className="py-7 text-center text-meta text-balance text-muted">{empty}</p>
        )}
        <ThreadList label={`Conversation with ${head.name}`}>
          {days.map(({ date, runs }, index) => (
            <Fragment key={date}>
              <Separator isSilent>
                {dayWords(date, today, dates.order)}
                {zoneNote && index === 0 && `, ${zoneNote}`}
              </Separator>
              {runs.map(({ senderId, messages: run }) => {
                const [first] = run;
                if (first && "words" in first) {
                  return (
                    <Separator key={first.id} isSilent={first.createdAt <= opened.now}>
                      <span className="max-w-[80%] text-center wrap-anywhere">
                        {first.words}, {clockTime(first.createdAt, dates).text}
                      </span>
                    </Separator>
                  );
                }
                const messages = run as ThreadMessage[];
                const last = messages.at(-1) as ThreadMessage;
                const own = senderId === viewerId;
                return (
                  <BubbleRun
                    key={messages[0]?.id}
                    own={own}
                    isSilent={own || last.seq <= opened.head.lastSeq}
                    author={authorOf(last)}
                    showAuthor={head.party !== null && !own}
                    messages={messages.map((message) => ({ id: message.id, content: contentOf(message) }))}
                    time={clockTime(last.createdAt, dates)}
                    actions={
                      !own && (
                        <>
                          {head.party && senderId && (
                            <>
                              <Link to={blockPage(senderId, here)} title={authorOf(last)} className="link">
                                {last.isHidden ? "Unblock" : "Block"}
                              </Link>
                              <span className="whitespace-pre"> · </span>
                            </>
                          )}
                          <Link to={`${here}/report/${last.id}`} preventScrollReset className="link">
                            Report
                          </Link>
                        </>
                      )
                    }
                    {...(own && { state: last.seq <= live.seenSeq ? ("seen" as const) : ("sent" as const) })}
                  />
                );
              })}
            </Fragment>
          ))}
          {pending.map(({ id, content, createdAt, state }) => (
            <BubbleRun
              key={id}
              own
              isSilent
              author="You"
              messages={[{ id, content: <LinkedText text={content} /> }]}
              time={clockTime(createdAt, dates)}
              state={state === "sending" && !online ? "waiting" : state}
              onRetry={() => live.retry(id)}
              onDiscard={() => live.discard(id)}
            />
          ))}
        </ThreadList>
        {isOlderPage && (
          <p className="pt-5 text-center">
            <Link to={here} className="link">
              Newest messages
            </Link>
          </p>
        )}
        <div className="pt-2">
          <TypingLine name={live.typing} />
        </div>
      </div>
    </div>
  );
}
