import { useEffect, useState } from "react";
import { cleanLine, cleanLines, countDown } from "~/platform/forms/text-length";

/** Screen readers hear the count once nobody has typed for this long. Milliseconds. */
const ANNOUNCED_AFTER = 1_000;

/**
 * Says near a field's limit how many characters are left, and beyond it how many are too many. The field cuts nothing: the
 * server refuses what is too long, and says to players without JavaScript by how much (`fits` in `platform/forms/text.ts`).
 * @param id of the control (an input, or a textarea of several lines), which the count describes as `${id}-length`
 */
export function LengthCounter({ id, limit }: { id: string; limit: number }) {
  const [count, setCount] = useState<ReturnType<typeof countDown>>(null);
  const [announced, setAnnounced] = useState("");
  const words = count?.words ?? "";
  // After each rendering, since drafts and buttons change the text without an event.
  useEffect(() => {
    const control = document.getElementById(id) as HTMLInputElement | HTMLTextAreaElement;
    const clean = control.tagName === "TEXTAREA" ? cleanLines : cleanLine;
    const read = () => {
      const next = countDown(clean(control.value), limit);
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
