import { useFetcher } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { useReplyToast } from "~/ui/toasts/use-toasts";

/**
 * The strip `Get ready` above the list: HTML of the server, whose forms work alone. With JavaScript they are sent
 * without leaving the page, and the keyboard goes on with the next step.
 * @param html from `renderReady`; null if no step is left
 */
export function GetReady({ html }: { html: string | null }) {
  const { data, state, submit } = useFetcher<FormReply | null>();
  const strip = useRef<HTMLElement>(null);
  const shown = useRef(html);
  useReplyToast(data ?? undefined);
  useEffect(() => {
    if (shown.current !== html && data !== undefined) {
      (strip.current?.querySelector("h3") ?? document.getElementById("newest"))?.focus();
    }
    shown.current = html;
  });
  if (html === null) return null;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (state === "idle") submit((event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement);
  };
  return (
    <section
      ref={strip}
      aria-labelledby="get-ready"
      aria-busy={state !== "idle"}
      className="ready"
      onSubmit={send}
      onInput={limitAgents}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: React has made it on the server, with all texts escaped
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/**
 * Three agents are the most: the others wait until one is taken off. Listens to `input`, because React reports `change`
 * only for fields that it has made itself.
 */
function limitAgents({ currentTarget }: FormEvent<HTMLElement>) {
  const boxes = [...currentTarget.querySelectorAll<HTMLInputElement>("[name=mainAgents]")];
  const isFull = boxes.filter(({ checked }) => checked).length > 2;
  for (const box of boxes) box.disabled = isFull && !box.checked;
}
