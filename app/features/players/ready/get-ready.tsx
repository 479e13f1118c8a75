import { useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import { READY_ID, ReadySteps, type ReadyView } from "./steps";

/**
 * The strip `Get ready` above the list. Its forms work without JavaScript. With it, they are sent without leaving the
 * page, and the keyboard focus moves to the next step or, after the last one, to the list.
 */
export function GetReady({ view }: { view: ReadyView }) {
  const { data: reply, state, submit } = useFetcher<FormReply | null>();
  const strip = useRef<HTMLElement>(null);
  const hasAnswered = useRef(false);
  const step = view.steps.find(({ state }) => state === "now")?.step;
  useReplyToast(reply ?? undefined);
  useEffect(() => {
    if (step && hasAnswered.current) strip.current?.querySelector("h3")?.focus();
    hasAnswered.current = false;
  }, [step]);
  // After a refusal, the player may leave instead of trying again.
  useEffect(() => {
    if (reply) hasAnswered.current = false;
  }, [reply]);
  useEffect(
    () => () => {
      const list = document.getElementById("best") ?? document.getElementById("newest");
      // If there is no list, the player left the page before the response arrived.
      if (!hasAnswered.current || !list) return;
      list.focus({ preventScroll: true });
      scrollTo(0, 0);
    },
    [],
  );
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (state !== "idle") return;
    hasAnswered.current = true;
    submit((event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement);
  };
  const { initialValue, error } = reply?.result ?? {};
  return (
    <section
      ref={strip}
      aria-labelledby={READY_ID}
      aria-busy={state !== "idle"}
      className="ready"
      onSubmit={send}
      onChange={limitAgents}
    >
      <ReadySteps view={view} refused={reply ? { values: initialValue ?? {}, errors: error ?? {} } : undefined} />
    </section>
  );
}

/** Disables the other checkboxes while three agents are checked. */
function limitAgents({ currentTarget }: FormEvent<HTMLElement>) {
  const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>("[name=mainAgents]")];
  const isFull = boxes.filter(({ checked }) => checked).length > 2;
  for (const box of boxes) box.disabled = isFull && !box.checked;
}
