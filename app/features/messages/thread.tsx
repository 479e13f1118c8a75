import { Form, Link, useRevalidator } from "@remix-run/react";
import {
  type FormEvent,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import type { FormReply } from "~/platform/forms";
import { type ConnectionState, useRoom } from "~/platform/use-room";
import { Avatar } from "~/ui/avatar";
import { VerifiedMark } from "~/ui/badge";
import { BubbleRun, DaySeparator, Thread as ThreadList, TypingLine } from "~/ui/bubbles";
import { Button, ButtonLink } from "~/ui/button";
import { FieldError } from "~/ui/field";
import { ChevronIcon, MoreIcon } from "~/ui/icons";
import { RankBadge } from "~/ui/rank-badge";
import { RoleChip } from "~/ui/role-chip";
import { useBrowserLayoutEffect } from "~/ui/use-browser-layout-effect";
import { useDismissableDetails } from "~/ui/use-dismissable-details";
import { useScripted } from "~/ui/use-scripted";
import { readConversationFrame } from "../../../party/conversation-frames";
import type { HeadView } from "./present.server";
import { dateIn, dayWords, groupThread, MAX_CONTENT_LENGTH, splitLinks, type ThreadMessage, whyClosed } from "./rules";
import { useDraft } from "./use-draft";
import { type PendingMessage, useThread } from "./use-thread";

/** How often "is typing" is sent while one types, and how long it is believed. Milliseconds. */
const TYPING_EVERY = 3_000;
const TYPING_LASTS = 5_000;
/** While the room can't be heard, new messages are asked for this often. Milliseconds. */
const POLL = 10_000;

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

/** A conversation with one other player: head, messages oldest first, and the form to write the next. */
export function Thread(props: ThreadProps) {
  const { head, viewerId, isOlderPage, timeZone, now, reply } = props;
  const { other } = head;
  const thread = useThread(head.id, viewerId, props);
  const { stored, pending, add, catchUp } = thread;
  const [seenSeq, setSeenSeq] = useState(other.lastReadSeq);
  const [typingUntil, setTypingUntil] = useState(0);
  const [presence, setPresence] = useState(other.presence.state);
  const [lastSeen, setLastSeen] = useState(other.presence.lastSeen?.ago);
  const revalidator = useRevalidator();
  useEffect(() => setSeenSeq((before) => Math.max(before, other.lastReadSeq)), [other.lastReadSeq]);
  useEffect(() => setPresence(other.presence.state), [other.presence.state]);
  useEffect(() => setLastSeen(other.presence.lastSeen?.ago), [other.presence.lastSeen?.ago]);

  const { state, send: tell } = useRoom(`/parties/conversation/${head.id}`, { onFrame: hear });

  function hear(frame: string) {
    const event = readConversationFrame(frame);
    switch (event?.type) {
      case "message":
        add([event.message]);
        if (event.message.senderId !== viewerId) setTypingUntil(0);
        break;
      case "hello":
        if (event.lastSeq > (stored.at(-1)?.seq ?? 0)) void catchUp();
        break;
      case "typing":
        if (event.userId !== viewerId) setTypingUntil(Date.now() + TYPING_LASTS);
        break;
      case "read":
        if (event.userId !== viewerId) setSeenSeq((before) => Math.max(before, event.seq));
        break;
      case "presence":
        if (event.userId !== other.id) break;
        setPresence(event.state);
        setLastSeen(`at ${clockTime(event.seenAt, timeZone).text}`);
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
  const isTyping = useUntil(typingUntil);

  const closed = whyClosed(head);
  const days = groupThread(stored, timeZone);
  // A page may stay open over midnight: then what came last came today.
  const today = dateIn(timeZone, Math.max(now, stored.at(-1)?.createdAt ?? 0));
  return (
    <section aria-label={`Conversation with ${other.name}`} className="thread">
      <header className="thread-head">
        <Link to="/dashboard/messages" aria-label="Back to all conversations" className="thread-back">
          <ChevronIcon className="size-6 rotate-90" />
        </Link>
        <Avatar letter={other.letter} presence={presence === "offline" || closed ? "none" : presence} size="header" />
        <div className="min-w-0 flex-1">
          <h2 className="flex min-w-0 items-center gap-2.5 font-semibold">
            <span className="truncate">{other.name}</span>
            {other.verified && <VerifiedMark />}
          </h2>
          <p className="thread-facts flex flex-wrap items-center gap-x-3.5 text-meta text-muted">
            {other.rank && <RankBadge rank={other.rank} className="font-normal!" />}
            {other.role && <RoleChip role={other.role} />}
            {!closed && <PresenceWords state={presence} lastSeen={lastSeen} />}
          </p>
        </div>
        <Connection state={state} />
        <ThreadMenu head={head} />
      </header>
      <div
        ref={scroll}
        className="thread-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
        tabIndex={0}
        role="log"
        aria-label={`Messages with ${other.name}`}
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
          <ThreadList label={`Conversation with ${other.name}`}>
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
                      author={own ? "You" : other.name}
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
            <TypingLine name={isTyping ? other.name : null} />
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

function Composer({
  conversationId,
  viewerId,
  nextId,
  reply,
  onSend,
  onType,
}: {
  conversationId: string;
  viewerId: string;
  nextId: string;
  reply: FormReply | undefined;
  onSend: (id: string, content: string) => void;
  onType: () => void;
}) {
  const scripted = useScripted();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(viewerId, conversationId, field);
  const [isBlank, setIsBlank] = useState(true);
  const typedAt = useRef(0);
  const { message: ownErrors, id: idErrors, "": formErrors } = reply?.result.error ?? {};
  const errors = [...(ownErrors ?? []), ...(idErrors ?? []), ...(formErrors ?? [])];
  const kept = reply?.result.initialValue;
  // What is in the field may come from the draft, from the browser, or from before script had loaded.
  useEffect(() => setIsBlank(!field.current?.value.trim()), []);

  function type(text: string) {
    setIsBlank(!text.trim());
    draft.keep(text);
    if (Date.now() - typedAt.current < TYPING_EVERY || !text.trim()) return;
    typedAt.current = Date.now();
    onType();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (!text || !field.current) return;
    onSend(crypto.randomUUID(), text);
    field.current.value = "";
    field.current.focus();
    typedAt.current = 0;
    setIsBlank(true);
    draft.drop();
  }

  /** Enter sends, Shift+Enter is a new line; on a touch keyboard Enter is the only way to a new line. */
  function key(event: KeyboardEvent<HTMLTextAreaElement>) {
    const sends = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!sends || matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <Form method="post" action={`/dashboard/messages/${conversationId}`} onSubmit={submit} className="thread-foot">
      <input type="hidden" name="id" value={String(kept?.id ?? nextId)} />
      <div className="min-w-0 flex-1">
        <label htmlFor="message" className="sr-only">
          Message
        </label>
        <textarea
          ref={field}
          id="message"
          name="message"
          rows={1}
          required
          maxLength={MAX_CONTENT_LENGTH}
          placeholder="Message"
          autoComplete="off"
          defaultValue={String(kept?.message ?? "")}
          aria-invalid={errors.length > 0 || undefined}
          aria-describedby={errors.length > 0 ? "message-error" : undefined}
          // Without JavaScript the focus goes where the mistake is.
          autoFocus={errors.length > 0}
          onChange={(event) => type(event.target.value)}
          onKeyDown={key}
          className="control composer"
        />
        <FieldError id="message" errors={errors} />
        <p className="unscripted pt-2 text-meta">
          <a href={`/dashboard/messages/${conversationId}`} className="link">
            Check for new messages
          </a>
          {" · "}
          <button type="submit" name="intent" value="look" formNoValidate className="link cursor-pointer">
            Check and keep what I wrote
          </button>
        </p>
      </div>
      <Button variant="primary" disabled={scripted && isBlank} className="self-start">
        Send
      </Button>
    </Form>
  );
}

/** What else can be done with the other player. */
function ThreadMenu({ head }: { head: HeadView }) {
  const menu = useDismissableDetails();
  if (head.isGone) return null;
  const here = `/dashboard/messages/${head.id}`;
  return (
    <details ref={menu} className="thread-menu">
      <summary>
        <span className="sr-only">More</span>
        <MoreIcon />
      </summary>
      <div className="thread-menu-items">
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

function PresenceWords({
  state,
  lastSeen,
}: {
  state: HeadView["other"]["presence"]["state"];
  lastSeen?: string | undefined;
}) {
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

/** Keeps what is in view where it is when older messages come in above it. */
function useStillWhenOlderCome(stored: readonly ThreadMessage[]) {
  const scroll = useRef<HTMLDivElement>(null);
  const first = stored[0]?.seq;
  const place = useRef({ first, top: 0 });
  useEffect(() => {
    const keep = () => {
      place.current.top = scroll.current?.scrollTop ?? 0;
    };
    const { current } = scroll;
    current?.addEventListener("scroll", keep, { passive: true });
    return () => current?.removeEventListener("scroll", keep);
  }, []);
  // The pane counts from its lower end, so the same number is the same place.
  useBrowserLayoutEffect(() => {
    if (place.current.first !== first && scroll.current) scroll.current.scrollTop = place.current.top;
    place.current.first = first;
  }, [first]);
  return scroll;
}

/** A message that is missing between two others may still be on its way; if not, it is asked for. */
function useGaps(stored: readonly ThreadMessage[], catchUp: () => void) {
  const hasGap = stored.some(({ seq }, index) => index > 0 && seq !== (stored[index - 1]?.seq ?? 0) + 1);
  useEffect(() => {
    if (!hasGap) return;
    const timer = setTimeout(catchUp, 300);
    return () => clearTimeout(timer);
  }, [hasGap, catchUp]);
}

/** Where no socket gets through, new messages are asked for; and once when the page comes back into view. */
function usePolling(state: ConnectionState, catchUp: () => void) {
  useEffect(() => {
    if (state === "open") return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") catchUp();
    }, POLL);
    return () => clearInterval(timer);
  }, [state, catchUp]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible") catchUp();
    };
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [catchUp]);
}

/** Tells the room what has been seen: the last message, while the page is in view. */
function useReading(
  stored: readonly ThreadMessage[],
  readBefore: number,
  state: ConnectionState,
  tell: (frame: object) => void,
) {
  const told = useRef(readBefore);
  const last = stored.at(-1)?.seq ?? 0;
  const read = useCallback(() => {
    if (state !== "open" || document.visibilityState !== "visible" || last <= told.current) return;
    told.current = last;
    tell({ type: "read", seq: last });
  }, [last, state, tell]);
  useEffect(() => {
    read();
    document.addEventListener("visibilitychange", read);
    return () => document.removeEventListener("visibilitychange", read);
  }, [read]);
}

/** Whether a moment is still to come; turns false by itself. */
function useUntil(moment: number): boolean {
  const [, tick] = useState(0);
  useEffect(() => {
    const left = moment - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => tick((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [moment]);
  return moment > 0 && moment > Date.now();
}
