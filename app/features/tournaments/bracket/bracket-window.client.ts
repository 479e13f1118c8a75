import type { RefObject } from "react";

/*
 * A bracket's behaviour under a pointer and the keyboard. It runs only in the browser, so the server's build leaves it
 * out. Each function returns its own clean-up function.
 */

/** The distance that a pressed pointer must move before it drags the drawing, in pixels. */
const SLACK = 4;

/**
 * Whether the bracket is shown as a drawing, which scrolls inside its window. A list doesn't scroll: it takes its full
 * height.
 */
const isDrawn = (element: HTMLElement) => getComputedStyle(element).overflowX === "auto";

const matchLinks = (element: HTMLElement) => [...element.querySelectorAll<HTMLElement>(".match-link")];

/**
 * Highlights paths through the whole bracket: that of the team under the pointer, or of both teams in the focused
 * match.
 */
export function followPointer(
  element: HTMLElement,
  style: RefObject<HTMLStyleElement>,
  own: number | null,
): () => void {
  let shown = "";
  const show = (teams: readonly string[]) => {
    const rules = teams.map((team) => rulesFor(team, Number(team) === own)).join("");
    if (rules === shown || !style.current) return;
    shown = rules;
    style.current.textContent = rules;
  };
  const teamsOf = (target: EventTarget | null) => [
    ...((target as Element).closest(".bracket-place")?.querySelectorAll<HTMLElement>("[data-team]") ?? []),
  ];
  // The text lets the pointer through to the link under it, so find the side by its position.
  const onMove = ({ target, clientY, pointerType }: PointerEvent) => {
    if (pointerType !== "mouse") return;
    const side = teamsOf(target).find((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top <= clientY && clientY < bottom;
    });
    show(side?.dataset.team ? [side.dataset.team] : []);
  };
  const onFocus = ({ target }: FocusEvent) => show(teamsOf(target).flatMap(({ dataset }) => dataset.team ?? []));
  const onLeave = () => show([]);
  element.addEventListener("pointermove", onMove);
  element.addEventListener("pointerleave", onLeave);
  element.addEventListener("focusin", onFocus);
  element.addEventListener("focusout", onLeave);
  return () => {
    element.removeEventListener("pointermove", onMove);
    element.removeEventListener("pointerleave", onLeave);
    element.removeEventListener("focusin", onFocus);
    element.removeEventListener("focusout", onLeave);
  };
}

/** Builds the CSS rules that highlight one team's name and lines. Only the viewer's own team gets sky blue. */
function rulesFor(team: string, isOwn: boolean): string {
  const colour = isOwn ? "var(--spot-edge)" : "var(--text)";
  return `.match-side[data-team="${team}"]{background:var(--raised)}
    .match-side[data-team="${team}"] .match-team{color:${isOwn ? "var(--spot-text)" : "var(--text)"}}
    .bracket-place[data-in~="${team}"]::before,.bracket-place[data-out="${team}"]::after{--color:${colour};--width:4px;z-index:1}`;
}

export function zoomByWheel(
  element: HTMLElement,
  zoomTo: (zoom: number, at: { x: number; y: number }) => void,
  zoomRef: RefObject<number>,
): () => void {
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey || !isDrawn(element)) return;
    event.preventDefault();
    const { left, top } = element.getBoundingClientRect();
    zoomTo((zoomRef.current as number) * Math.exp(-event.deltaY / 300), {
      x: event.clientX - left,
      y: event.clientY - top,
    });
  };
  element.addEventListener("wheel", onWheel, { passive: false });
  return () => element.removeEventListener("wheel", onWheel);
}

/** Lets a mouse drag the drawing. Touch scrolls it natively. */
export function scrollByDrag(element: HTMLElement): () => void {
  let from: { x: number; y: number } | null = null;
  let isDragging = false;
  const onDown = ({ pointerType, button, clientX, clientY }: PointerEvent) => {
    isDragging = false;
    if (pointerType === "mouse" && button === 0 && isDrawn(element)) from = { x: clientX, y: clientY };
  };
  const onMove = ({ pointerId, clientX, clientY }: PointerEvent) => {
    if (!from) return;
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (!isDragging && Math.hypot(x, y) < SLACK) return;
    if (!isDragging) element.setPointerCapture(pointerId);
    isDragging = true;
    element.dataset.held = "";
    const before = element.scrollTop;
    element.scrollBy({ left: -x, top: -y, behavior: "instant" });
    // Once the window can't scroll any further, scroll the page instead.
    if (element.scrollTop === before) window.scrollBy({ top: -y, behavior: "instant" });
    from = { x: clientX, y: clientY };
  };
  const onUp = () => {
    from = null;
    delete element.dataset.held;
  };
  // Releasing a drag over a match must not open that match.
  const onClick = (event: MouseEvent) => {
    if (!isDragging) return;
    event.preventDefault();
    event.stopPropagation();
    isDragging = false;
  };
  const onDragStart = (event: DragEvent) => event.preventDefault();
  element.addEventListener("pointerdown", onDown);
  element.addEventListener("pointermove", onMove);
  element.addEventListener("pointerup", onUp);
  element.addEventListener("pointercancel", onUp);
  element.addEventListener("click", onClick, true);
  element.addEventListener("dragstart", onDragStart);
  return () => {
    element.removeEventListener("pointerdown", onDown);
    element.removeEventListener("pointermove", onMove);
    element.removeEventListener("pointerup", onUp);
    element.removeEventListener("pointercancel", onUp);
    element.removeEventListener("click", onClick, true);
    element.removeEventListener("dragstart", onDragStart);
  };
}

/** Makes one of the drawing's match links the tab stop, and lets the arrow keys move the focus from match to match. */
export function addArrowKeys(element: HTMLElement): () => void {
  const stopAt = (stop: Element | null | undefined) => {
    for (const link of matchLinks(element)) link.tabIndex = link === stop ? 0 : -1;
  };
  const arrange = () => {
    const links = matchLinks(element);
    if (isDrawn(element)) stopAt(links.find((link) => link === document.activeElement) ?? links[0]);
    else for (const link of links) link.removeAttribute("tabindex");
  };
  const onFocus = ({ target }: FocusEvent) => {
    if ((target as Element).matches(".match-link") && isDrawn(element)) stopAt(target as Element);
  };
  const onKey = (event: KeyboardEvent) => {
    const place = (event.target as Element).closest<HTMLElement>(".bracket-place");
    if (!place || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const to = neighbour(element, place, event.key)?.querySelector<HTMLElement>(".match-link");
    if (!to) return;
    event.preventDefault();
    to.focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest", inline: "nearest" });
  };
  arrange();
  element.addEventListener("focusin", onFocus);
  element.addEventListener("keydown", onKey);
  window.addEventListener("resize", arrange);
  return () => {
    element.removeEventListener("focusin", onFocus);
    element.removeEventListener("keydown", onKey);
    window.removeEventListener("resize", arrange);
  };
}

/** Selects the matches from which the right arrow key leads to this one. The first is the upper one. */
const before = (id: string) => `[data-next="${id}"], [data-onward="${id}"]:not([data-next])`;

/**
 * Finds the match that an arrow key leads to: right follows the winner, left goes back to where the teams come from,
 * and up and down go to the neighbours in the same round.
 */
function neighbour(element: HTMLElement, place: HTMLElement, key: string): Element | null {
  switch (key) {
    case "ArrowRight":
      return element.querySelector(`#match-${place.dataset.next ?? place.dataset.onward}`);
    case "ArrowLeft":
      return element.querySelector(before(place.id.slice("match-".length)));
    case "ArrowUp":
      return place.previousElementSibling;
    case "ArrowDown":
      return place.nextElementSibling;
    default:
      return null;
  }
}
