import { useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";

export interface LayerProps {
  /** When the pointer or focus arrived that loaded the layer (`performance.now()`); null on later pages. */
  since: number | null;
  /** Finds the element that a place in the page belongs to, if it is one that the layer is for. */
  find: (place: Element) => HTMLElement | null;
}

const INTENTS = ["pointerover", "focusin"];

/**
 * A layer over the page that says more about some of its elements. It loads when the first of them is hovered or
 * focused, and reads the elements it is for from the events of the document, so that none of them is wrapped. Each page
 * mounts it anew, because a new page has other elements.
 */
export function IntentLayer({
  find,
  load,
}: Pick<LayerProps, "find"> & { load: () => Promise<ComponentType<LayerProps>> }) {
  const [layer, setLayer] = useState<{ Layer: ComponentType<LayerProps>; page: string; since: number | null }>();
  const { key: page } = useLocation();
  if (layer && layer.page !== page) setLayer({ ...layer, page, since: null });
  useEffect(() => {
    if (layer) return;
    const begin = (event: Event) => {
      const isTouch = "pointerType" in event && event.pointerType === "touch";
      if (isTouch || !(event.target instanceof Element) || !find(event.target)) return;
      stop();
      const since = performance.now();
      // Offline, the page does without, and the next element tries again.
      load().then((Layer) => setLayer({ Layer, page, since }), listen);
    };
    const listen = () => {
      for (const intent of INTENTS) document.addEventListener(intent, begin);
    };
    const stop = () => {
      for (const intent of INTENTS) document.removeEventListener(intent, begin);
    };
    listen();
    return stop;
  }, [layer, page, find, load]);
  return layer ? <layer.Layer key={layer.page} since={layer.since} find={find} /> : null;
}
