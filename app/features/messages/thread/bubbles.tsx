import type { MouseEvent, ReactNode } from "react";
import type { ShownTime } from "~/platform/dates/dates";
import { WarningIcon } from "~/ui/icons";

/** The delivery state of the viewer's own message. */
type SendState = "sending" | "waiting" | "sent" | "seen" | "failed";

const STATE_WORDS: Record<SendState, string> = {
  sending: "Sending",
  waiting: "Sends when you're back online",
  sent: "Sent",
  seen: "Seen",
  failed: "Not sent",
};

/** The messages of a conversation, oldest first: `BubbleRun`s and `Separator`s. */
export function Thread({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol aria-label={label} className="flex flex-col gap-4">
      {children}
    </ol>
  );
}

/**
 * Consecutive messages of one player, each less than five minutes after the one before (`groupThread`). They are 3 px
 * apart, with one time and (for the viewer's own) one delivery state under them. The viewer's own messages are on the
 * right, with the background `own`; others' are on the left, with `raised`. Must be inside a `Thread`.
 */
export function BubbleRun({
  own = false,
  isSilent = false,
  author,
  showAuthor = false,
  messages,
  time,
  state,
  actions,
  onRetry,
  onDiscard,
}: {
  own?: boolean;
  /**
   * Keeps screen readers from announcing the messages when they appear. Set for the viewer's own, which appear again
   * once they are stored, and for messages that were sent before the page was opened. Others are announced.
   */
  isSilent?: boolean;
  /** The author's name: always read by screen readers, and visible with `showAuthor`, where more than two talk. */
  author: string;
  showAuthor?: boolean;
  /** Oldest first. `content` is the text, with its links clickable. */
  messages: readonly { id: string; content: ReactNode }[];
  /** The time of the last message. */
  time: ShownTime;
  /** The delivery state of the last message; only for the viewer's own. */
  state?: SendState;
  /** Links to act on the messages, beside their time. */
  actions?: ReactNode;
  /** Sends a failed message again. */
  onRetry?: () => void;
  /** Discards a message that has failed or waits for the network. */
  onDiscard?: () => void;
}) {
  const failed = state === "failed";
  return (
    <li
      aria-live={isSilent ? "off" : undefined}
      data-failed={failed || undefined}
      className={`flex flex-col gap-[3px] ${own ? "items-end" : "items-start"}`}
    >
      <p className={showAuthor ? "px-0.5 pb-1 text-badge font-semibold text-muted" : "sr-only"}>{author}</p>
      {messages.map(({ id, content }) => (
        <p key={id} data-message={id} dir="auto" className={own ? "bubble own-bubble" : "bubble"}>
          {content}
        </p>
      ))}
      <div className="run-foot flex items-center px-0.5 pt-[3px] text-badge text-muted">
        <time dateTime={time.iso} title={time.exact}>
          {time.text}
        </time>
        {(state || actions) && <span className="whitespace-pre"> · </span>}
        {actions}
        {state && !failed && STATE_WORDS[state]}
        {failed && (
          <span role="alert" className="flex items-center gap-1 font-semibold text-danger">
            <WarningIcon className="size-3.5" />
            {STATE_WORDS.failed}
          </span>
        )}
        {failed && onRetry && <FailedButton label="Retry" onPress={onRetry} />}
        {(failed || state === "waiting") && onDiscard && <FailedButton label="Discard" onPress={onDiscard} />}
      </div>
    </li>
  );
}

function FailedButton({ label, onPress }: { label: string; onPress: () => void }) {
  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    // The pressed button disappears, so the focus moves to the field. On touch screens that would open the keyboard, so
    // there it moves to the thread.
    const field = matchMedia("(pointer: coarse)").matches ? null : document.getElementById("message");
    (field ?? currentTarget.closest<HTMLElement>(".thread-scroll"))?.focus({ preventScroll: true });
    onPress();
  }
  return (
    <button
      type="button"
      onClick={press}
      className="-my-1 ml-1 min-h-6 cursor-pointer rounded-badge px-1.5 font-semibold text-text underline underline-offset-3 touch:-my-3.5 touch:min-h-11 touch:px-3"
    >
      {label}
    </button>
  );
}

/**
 * Words between two lines: the beginning of a day, or an event ("Both teams checked in, 19:55"). Must be inside a
 * `Thread`.
 */
export function Separator({ isSilent = false, children }: { isSilent?: boolean; children: ReactNode }) {
  return (
    <li
      data-edge
      aria-live={isSilent ? "off" : undefined}
      className="flex items-center gap-3 text-badge text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      {children}
    </li>
  );
}

/**
 * "Sørina is typing", with three moving banners. It always keeps its space under the thread, so that the page doesn't
 * jump.
 */
export function TypingLine({ name }: { name: string | null }) {
  return (
    <p role="status" className="flex min-h-[18px] items-center gap-2 text-meta text-muted">
      {name && (
        <>
          <span aria-hidden="true" className="busy-bars gap-1! [&>i]:w-[7px]">
            <i />
            <i />
            <i />
          </span>
          {name} is typing
        </>
      )}
    </p>
  );
}
