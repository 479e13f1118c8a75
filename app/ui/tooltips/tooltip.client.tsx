import { Tooltip } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import type { LayerProps } from "./intent-layer";

/** The time that the pointer must rest on an element before its tooltip opens, in milliseconds. */
const OPEN_DELAY = 700;
/** The gap between an element and its tooltip, in pixels. */
const SIDE_OFFSET = 4;
/** The time that a tooltip stays open for a pointer that moves towards it, in milliseconds. */
const CLOSE_DELAY = 150;

/** An element with its tooltip. */
interface Shown {
  element: HTMLElement;
  title: string;
  area: DOMRect;
}

/**
 * Shows the `title` of the element under the pointer, or with the keyboard focus, as a Radix tooltip. Pages need no
 * change: Radix's trigger is an empty frame over the element. The `title` is removed while the pointer or the focus is
 * on the element, because the browser would show it as well.
 */
export function TooltipLayer({ since, find }: LayerProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const trigger = useRef<HTMLSpanElement>(null);
  const content = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let aim: { element: HTMLElement; title: string; byFocus: boolean } | null = null;
    let timer: number | undefined;

    const wait = (work: () => void, delay: number) => {
      clearTimeout(timer);
      timer = window.setTimeout(work, delay);
    };

    function leave() {
      clearTimeout(timer);
      setShown(null);
      // If the page has set a new title in the meantime, that one stays.
      if (aim && !aim.element.title) aim.element.title = aim.title;
      aim = null;
    }

    function aimAt(element: HTMLElement, byFocus: boolean, delay: number) {
      leave();
      const { title } = element;
      aim = { element, title, byFocus };
      element.removeAttribute("title");
      const open = () => element.isConnected && setShown({ element, title, area: element.getBoundingClientRect() });
      if (!isInFullView(element)) wait(open, delay);
    }

    function point({ target, pointerType }: PointerEvent) {
      if (pointerType === "touch" || !(target instanceof Element)) return;
      const element = find(target);
      if (element && !element.contains(aim?.element ?? null)) return aimAt(element, false, OPEN_DELAY);
      if (!aim || aim.byFocus) return;
      const isStaying = aim.element.contains(target) || content.current?.contains(target);
      if (!content.current) return isStaying ? undefined : leave();
      if (isStaying) clearTimeout(timer);
      else wait(leave, CLOSE_DELAY);
    }

    function focus({ target }: Pick<FocusEvent, "target">) {
      const element = target instanceof Element && target.matches(":focus-visible") && find(target);
      if (element) aimAt(element, true, 0);
    }

    const blur = () => aim?.byFocus && leave();

    function scroll() {
      const focused = aim?.byFocus ? aim.element : null;
      leave();
      if (focused) aimAt(focused, true, CLOSE_DELAY);
    }

    if (since !== null) {
      const under = [...document.querySelectorAll(":hover")].at(-1);
      const element = under && find(under);
      if (element) aimAt(element, false, Math.max(0, OPEN_DELAY - (performance.now() - since)));
      focus({ target: document.activeElement });
    }
    const controller = new AbortController();
    const options = { signal: controller.signal, capture: true, passive: true };
    document.addEventListener("pointerover", point, options);
    document.addEventListener("pointerdown", leave, options);
    document.addEventListener("focusin", focus, options);
    document.addEventListener("focusout", blur, options);
    document.addEventListener("scroll", scroll, options);
    return () => {
      controller.abort();
      leave();
    };
  }, [since, find]);

  // Radix puts `aria-describedby` on its trigger, which here is the frame: the element needs it.
  useEffect(() => {
    const id = trigger.current?.getAttribute("aria-describedby");
    if (!shown || !id || isInName(shown)) return;
    const { element } = shown;
    const before = element.getAttribute("aria-describedby");
    element.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
    return () => {
      if (before) element.setAttribute("aria-describedby", before);
      else element.removeAttribute("aria-describedby");
    };
  }, [shown]);

  if (!shown) return null;
  const { element, title, area } = shown;
  const { left, top, width, height } = area;
  return (
    <Tooltip.Provider disableHoverableContent>
      <Tooltip.Root open onOpenChange={(open) => open || setShown(null)}>
        <Tooltip.Trigger asChild>
          <span ref={trigger} aria-hidden="true" className="tooltip-frame" style={{ left, top, width, height }} />
        </Tooltip.Trigger>
        {/* A modal dialog is above the rest of the page. */}
        <Tooltip.Portal container={element.closest<HTMLElement>("dialog:modal") ?? document.body}>
          <Tooltip.Content ref={content} sideOffset={SIDE_OFFSET} collisionPadding={8} className="tooltip">
            {title}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  );
}

/** Whether a name that may be cut with an ellipsis is fully visible, and its title therefore adds nothing. */
const isInFullView = (element: HTMLElement) =>
  getComputedStyle(element).textOverflow === "ellipsis" && element.scrollWidth <= element.clientWidth;

/** Whether the element's accessible name already contains the title. */
const isInName = ({ element, title }: Shown) =>
  (element.getAttribute("aria-label") ?? element.textContent ?? "").includes(title);
