import { useRef } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { useClosedDraft } from "../thread/use-draft";
import type { ThreadPage } from "./use-live-thread";

/**
 * The player's unsent text when the conversation has closed, or is gone: that of a refused form, or else a half-typed
 * message. It can no longer be sent, but it can be copied.
 */
export function UnsentWords({ reply, draft }: { reply: FormReply | undefined; draft?: string | null | undefined }) {
  const words = String(reply?.result?.initialValue?.message ?? draft ?? "");
  return (
    words && (
      <label className="grid flex-1 gap-1 text-meta text-muted">
        What you wrote
        <textarea readOnly rows={3} defaultValue={words} className="control" />
      </label>
    )
  );
}

/**
 * Shows the player's unsent text beside a chat that is part of another page, once they are no longer in the chat: an
 * organiser may be removed while typing. Stays mounted while the chat is open.
 * @param viewerId undefined if nobody is signed in
 * @param page null if the player isn't in the chat
 */
export function UnsentWordsAfterLeaving({
  viewerId,
  page,
  reply,
}: {
  viewerId: string | undefined;
  page: ThreadPage | null;
  reply: FormReply | undefined;
}) {
  const latest = useRef(page);
  if (page) latest.current = page;
  const { current } = latest;
  const hasLeft = page === null && current !== null && current.viewerId === viewerId;
  const draft = useClosedDraft(current?.viewerId, current?.head.id ?? "", hasLeft);
  return page === null && <UnsentWords reply={reply} draft={draft} />;
}
