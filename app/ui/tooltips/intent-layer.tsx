import { type ComponentType, useEffect, useState } from "react";

/** The props of a layer: when the pointer or focus arrived (`performance.now()`), and how to find its elements. */
export interface LayerProps {
  since: number;
  /** Finds the element that a place in the page belongs to, if it is one that the layer is for. */
  find: (place: Element) => HTMLElement | null;
}

const INTENTS = ["pointerover", "focusin"];

/**
 * A layer over the page that says more about some of its elements. It loads when the first of them is hovered or
 * focused, and reads the elements it is for from the events of the document, so that none of them is wrapped.
 */
export function IntentLayer({
  find,
  load,
}: Pick<LayerProps, "find"> & { load: () => Promise<ComponentType<LayerProps>> }) {
  const [layer, setLayer] = useState<{ Layer: ComponentType<LayerProps>; since: number }>();
  useEffect(() => {
    if (layer) return;
    const begin = (event: Event) => {
      const isTouch = "pointerType" in event && event.pointerType === "touch";
      if (isTouch || !(event.target instanceof Element) || !find(event.target)) return;
      stop();
      const since = performance.now();
      // Offline, the page does without, and the next element tries again.
      load().then((Layer) => setLayer({ Layer, since }), listen);
    };
    const listen = () => {
      for (const intent of INTENTS) document.addEventListener(intent, begin);
    };
    const stop = () => {
      for (const intent of INTENTS) document.removeEventListener(intent, begin);
    };
    listen();
    return stop;
  }, [layer, find, load]);
  return layer ? <layer.Layer since={layer.since} find={find} /> : null;
}
