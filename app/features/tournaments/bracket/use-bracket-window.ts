import { useEffect, useRef, useState } from "react";
import { followPointer, moveByDrag, roam, zoomByWheel } from "./bracket-window.client";
import type { MatchesOnPage } from "./match-line";
import type { BracketView } from "./view";

const SMALLEST = 0.25;
const LARGEST = 1.5;
const STEP = 1.25;
const limit = (zoom: number) => Math.min(LARGEST, Math.max(SMALLEST, zoom));

/**
 * What script adds to a bracket. All of it works on the elements themselves: hundreds of matches are not rendered anew over
 * a pointer that moves.
 */
export function useBracketWindow({ matches, own }: MatchesOnPage, view: BracketView | null) {
  const ref = useRef<HTMLElement>(null);
  const highlight = useRef<HTMLStyleElement>(null);
  const [zoom, setZoom] = useState(1);
  const current = useRef(zoom);

  /** @param at the point that stays where it is, from the window's corner; its middle unless given */
  const zoomTo = useRef((wanted: number, at?: { x: number; y: number }) => {
    const element = ref.current;
    if (!element) return;
    const { x, y } = at ?? { x: element.clientWidth / 2, y: element.clientHeight / 2 };
    const next = limit(wanted);
    const ratio = next / current.current;
    const [left, top] = [element.scrollLeft, element.scrollTop];
    element.style.setProperty("--zoom", String(next));
    element.scrollTo((left + x) * ratio - x, (top + y) * ratio - y);
    current.current = next;
    setZoom(next);
  }).current;

  const fit = () => {
    const element = ref.current;
    if (element) zoomTo(Math.min(1, (current.current * element.clientWidth) / element.scrollWidth));
  };

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const stops = [followPointer(element, highlight, own), zoomByWheel(element, zoomTo, current), moveByDrag(element)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [own, zoomTo]);

  // Of a drawing's matches one is among the page's stops for the keyboard; from there the arrow keys lead on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: with these, what is drawn has changed
  useEffect(() => (ref.current ? roam(ref.current) : undefined), [matches, view]);

  return {
    ref,
    highlight,
    zoom,
    zoomIn: () => zoomTo(current.current * STEP),
    zoomOut: () => zoomTo(current.current / STEP),
    fit,
  };
}
