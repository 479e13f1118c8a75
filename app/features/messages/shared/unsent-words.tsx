import type { FormReply } from "~/platform/forms/forms";

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
