import { useEffect, useState } from "react";
import { cleanLine, cleanLines, describeRemaining } from "~/platform/forms/text-length";

/** The delay after the last keystroke before screen readers announce the count, in milliseconds. */
const ANNOUNCED_AFTER = 1_000;

/**
 * Shows the number of characters left near a field's limit, or the excess beyond it. The field doesn't cut the text:
 * the server refuses longer texts, and tells players without JavaScript the excess (`fits` in
 * `platform/forms/text.ts`).
 * @param id of the control (an input, or a textarea of several lines), which `${id}-length` describes
 */
export function LengthCounter({ id, limit }: { id: string; limit: number }) {
  const [count, setCount] = useState<ReturnType<typeof describeRemaining>>(null);
  const [announced, setAnnounced] = useState("");
  const words = count?.words ?? "";
  // After each render, since drafts and buttons change the text without an event.
  useEffect(() => {
    const control = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement;
    const clean = control.tagName === "TEXTAREA" ? cleanLines : cleanLine;
    const read = () => {
      const next = describeRemaining(clean(control.value), limit);
      setCount((before) => (before?.words === next?.words ? before : next));
    };
    read();
    control.addEventListener("input", read);
    return () => control.removeEventListener("input", read);
  });
  useEffect(() => {
    const timer = setTimeout(() => setAnnounced(words), ANNOUNCED_AFTER);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <>
      {count && (
        <span aria-hidden="true" data-over={count.isOver || undefined} className="length-counter">
          {words}
        </span>
      )}
      <span id={`${id}-length`} role="status" className="sr-only">
        {announced}
      </span>
    </>
  );
}
