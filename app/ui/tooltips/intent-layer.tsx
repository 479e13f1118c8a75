import { useLocation } from "@remix-run/react";
import { type ComponentType, useEffect, useState } from "react";

export interface LayerProps {
  /** The time of the hover or focus that loaded the layer (`performance.now()`); null on later pages. */
  since: number | null;
  /** Finds the layer's target around an element; null if there is none. */
  find: (place: Element) => HTMLElement | null;
}

const INTENTS = ["pointerover", "focusin"];

/**
 * A layer over the page with details of some elements, its targets. It loads when the first target is hovered or
 * focused. It finds targets from the document's events, so that none of them need a wrapper. Each page mounts it again,
 * because a new page has other elements.
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
    let hasEnded = false;
    const begin = (event: Event) => {
      const isTouch = "pointerType" in event && event.pointerType === "touch";
      if (isTouch || !(event.target instanceof Element) || !find(event.target)) return;
      stop();
      const since = performance.now();
      // Offline, the page works without the layer, and the next target tries again.
      load().then((Layer) => setLayer({ Layer, page, since }), listen);
    };
    const listen = () => {
      if (hasEnded) return;
      for (const intent of INTENTS) document.addEventListener(intent, begin);
    };
    const stop = () => {
      for (const intent of INTENTS) document.removeEventListener(intent, begin);
    };
    listen();
    return () => {
      hasEnded = true;
      stop();
    };
  }, [layer, page, find, load]);
  return layer ? <layer.Layer key={layer.page} since={layer.since} find={find} /> : null;
}
