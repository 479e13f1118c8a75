import { useEffect, useRef, useState } from "react";
import { addArrowKeys, followPointer, scrollByDrag, zoomByWheel } from "./bracket-window.client";
import type { MatchesOnPage } from "./match-line";
import type { BracketView } from "./view";

const SMALLEST = 0.25;
const LARGEST = 1.5;
const STEP = 1.25;
const limit = (zoom: number) => Math.min(LARGEST, Math.max(SMALLEST, zoom));

/**
 * Adds zoom, dragging, arrow keys and highlights to a bracket. All of them change the elements directly, so that
 * hundreds of matches aren't rendered again when the pointer moves. Only a change of zoom renders them again, to show
 * its percentage.
 */
export function useBracketWindow({ matches, own }: MatchesOnPage, view: BracketView | null) {
  const ref = useRef<HTMLElement>(null);
  const highlight = useRef<HTMLStyleElement>(null);
  const [zoom, setZoom] = useState(1);
  const zoomRef = useRef(zoom);

  /** @param at the point that stays in place, in pixels from the window's corner; the window's middle unless given */
  const zoomTo = useRef((wanted: number, at?: { x: number; y: number }) => {
    const element = ref.current;
    if (!element) return;
    const { x, y } = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const next = limit(wanted);
    const ratio = next / zoomRef.current;
    const [left, top] = [element.scrollLeft, element.scrollTop];
    element.style.setProperty("--zoom", String(next));
    element.scrollTo((left + x) * ratio - x, (top + y) * ratio - y);
    zoomRef.current = next;
    setZoom(next);
  }).current;

  const fit = () => {
    const element = ref.current;
    if (element) zoomTo(Math.min(1, (zoomRef.current * element.clientWidth) / element.scrollWidth));
  };

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const stops = [
      followPointer(element, highlight, own),
      zoomByWheel(element, zoomTo, zoomRef),
      scrollByDrag(element),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [own, zoomTo]);

  // One match of a drawing is a tab stop; the arrow keys move on from there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links have changed whenever one of these has
  useEffect(() => (ref.current ? addArrowKeys(ref.current) : undefined), [matches, view]);

  return {
    ref,
    highlight,
    zoom,
    zoomIn: () => zoomTo(zoomRef.current * STEP),
    zoomOut: () => zoomTo(zoomRef.current / STEP),
    fit,
  };
}
