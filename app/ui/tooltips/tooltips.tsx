import { type ComponentType, useEffect, useState } from "react";

/** The element whose `title` is meant at a place of the page. A field's `title` belongs to the browser's own check of it. */
const titledAt = (place: Element): HTMLElement | null => place.closest("[title]:not(input, iframe)");

/**
 * Tooltips for whatever has a `title`: the browser's own at first and without JavaScript, Radix's (`tooltip.client.tsx`) once
 * the first such element is pointed at or has the focus.
 */
export function Tooltips() {
  const [layer, setLayer] = useState<{ Layer: ComponentType<LayerProps>; since: number }>();
  useEffect(() => {
    if (layer) return;
    const load = (event: Event) => {
      const isTouch = "pointerType" in event && event.pointerType === "touch";
      if (isTouch || !(event.target instanceof Element) || !titledAt(event.target)) return;
      stop();
      const since = performance.now();
      // Offline the browser's own tooltip serves, and the next element tries again.
      import("./tooltip.client").then(({ TooltipLayer }) => setLayer({ Layer: TooltipLayer, since }), listen);
    };
    const listen = () => {
      for (const intent of INTENTS) document.addEventListener(intent, load);
    };
    const stop = () => {
      for (const intent of INTENTS) document.removeEventListener(intent, load);
    };
    listen();
    return stop;
  }, [layer]);
  return layer ? <layer.Layer since={layer.since} titledAt={titledAt} /> : null;
}

/** What `tooltip.client.tsx` is told: since when a tooltip is waited for (`performance.now()`), and how its element is found. */
interface LayerProps {
  since: number;
  titledAt: typeof titledAt;
}

/** What `tooltip.client.tsx` is told: since when a tooltip is waited for (`performance.now()`), and how its element is found. */
interface LayerProps {
  since: number;
  titledAt: typeof titledAt;
}

const INTENTS = ["pointerover", "focusin"];
