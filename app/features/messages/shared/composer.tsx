import { Form } from "@remix-run/react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { cleanLines, lengthProblem } from "~/platform/forms/text-length";
import { Button, type ButtonVariant } from "~/ui/button";
import { pageUnderDialog } from "~/ui/dialogs/dialogs";
import { describe, FieldError } from "~/ui/forms/field";
import { LengthCounter } from "~/ui/forms/length-counter";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";
import { showToast } from "~/ui/toasts/use-toasts";
import { MAX_CONTENT_LENGTH, MESSAGE_TEXT } from "../rules";
import { useDraft } from "../thread/use-draft";

/** The interval at which "is typing" is sent while the viewer types, in milliseconds. */
const TYPING_EVERY = 3_000;

/**
 * The form under a thread. With JavaScript, it passes each message to the outbox, and the page stays. Without
 * JavaScript, the form is submitted, and a refused message comes back in the field.
 */
export function Composer({
  conversationId,
  viewerId,
  nextId,
  here,
  variant = "primary",
  takesFocus = false,
  reply,
  onSend,
  onType,
}: {
  conversationId: string;
  viewerId: string;
  nextId: string;
  /** The path of the page that shows the form, and that handles it without JavaScript. */
  here: string;
  /** The button's variant: not primary on a page about something else, which has a primary button of its own. */
  variant?: ButtonVariant;
  /** Whether the form is in view when the page opens at its top. On a device with a mouse, its field has the focus. */
  takesFocus?: boolean;
  reply: FormReply | undefined;
  onSend: (id: string, content: string) => void;
  onType: () => void;
}) {
  const isHydrated = useIsHydrated();
  const field = useRef<HTMLTextAreaElement>(null);
  const draft = useDraft(viewerId, conversationId, field);
  const [isBlank, setIsBlank] = useState(true);
  const typedAt = useRef(0);
  const { message: ownErrors, id: idErrors, "": formErrors } = reply?.result.error ?? {};
  const [tooLong, setTooLong] = useState<string | null>(null);
  const errors = tooLong ? [tooLong] : [...(ownErrors ?? []), ...(idErrors ?? []), ...(formErrors ?? [])];
  const kept = reply?.result.initialValue;
  useEffect(() => {
    const { current } = field;
    // The field may hold a draft, text that the browser restored, or text typed before hydration.
    setIsBlank(!current?.value.trim());
    const isInField = document.activeElement?.matches("input, textarea");
    if (!takesFocus || !current || isInField) return;
    // In a short window, the pane ends below the fold. The page isn't scrolled if its reader has scrolled it meanwhile,
    // if the browser has restored its position, or under a dialog.
    if (scrollY === 0 && pageUnderDialog(location.pathname) === null) {
      current.form?.scrollIntoView({ block: "nearest" });
    }
    // Not on a touch screen, where the keyboard would cover half of the thread.
    if (!matchMedia("(pointer: fine)").matches) return;
    current.focus({ preventScroll: true });
    current.setSelectionRange(current.value.length, current.value.length);
  }, [takesFocus]);

  function type(text: string) {
    setIsBlank(!text.trim());
    setTooLong(null);
    draft.keep(text);
    if (Date.now() - typedAt.current < TYPING_EVERY || !text.trim()) return;
    typedAt.current = Date.now();
    onType();
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = field.current?.value.trim() ?? "";
    if (!text || !field.current) return;
    const description = lengthProblem(cleanLines(text), MESSAGE_TEXT);
    if (description) {
      setTooLong(description);
      showToast({ id: crypto.randomUUID(), kind: "error", title: "Error sending message", description });
      return field.current.focus();
    }
    onSend(crypto.randomUUID(), text);
    field.current.value = "";
    field.current.focus();
    typedAt.current = 0;
    setIsBlank(true);
    draft.drop();
  }

  /**
   * Enter sends and Shift+Enter inserts a new line. On touch keyboards Enter inserts a new line, because they have no
   * other key for it. An Enter that accepts an input method's suggestion does neither. It has the same key code as
   * every key that an input method has handled, even in Safari, which sends it after the composition has ended.
   */
  function key(event: KeyboardEvent<HTMLTextAreaElement>) {
    const sends = event.key === "Enter" && !event.shiftKey && event.keyCode !== 229;
    if (!sends || matchMedia("(pointer: coarse)").matches) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <Form method="post" action={here} onSubmit={submit} className="thread-foot">
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
          placeholder="Message"
          autoComplete="off"
          defaultValue={String(kept?.message ?? "")}
          {...describe({ id: "message", errors, limit: MAX_CONTENT_LENGTH })}
          // Without JavaScript, focus moves to the field with the error.
          autoFocus={errors.length > 0}
          onChange={(event) => type(event.target.value)}
          onKeyDown={key}
          className="control composer"
        />
        <div className="flex justify-end">
          <LengthCounter id="message" limit={MAX_CONTENT_LENGTH} />
        </div>
        <FieldError id="message" errors={errors} />
        <p className="unscripted pt-2 text-meta">
          <a href={here} className="link">
            Check for new messages
          </a>
          {" · "}
          <button type="submit" name="intent" value="look" formNoValidate className="link cursor-pointer">
            Check and keep what I wrote
          </button>
        </p>
      </div>
      <Button variant={variant} disabled={isHydrated && isBlank} className="self-start">
        Send
      </Button>
    </Form>
  );
}
