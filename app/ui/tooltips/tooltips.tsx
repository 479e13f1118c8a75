import { type ComponentType, useEffect, useState } from "react";

/**
 * Finds the element whose `title` applies to a place in the page. A field's `title` belongs to the browser's
 * validation.
 */
const findTitled = (place: Element): HTMLElement | null => place.closest("[title]:not(input, iframe)");

/**
 * Tooltips for all elements with a `title`: the browser's own at first and without JavaScript, Radix's
 * (`tooltip.client.tsx`) once the first such element is hovered or focused.
 */
export function Tooltips() {
  const [layer, setLayer] = useState<{ Layer: ComponentType<LayerProps>; since: number }>();
  useEffect(() => {
    if (layer) return;
    const load = (event: Event) => {
      const isTouch = "pointerType" in event && event.pointerType === "touch";
      if (isTouch || !(event.target instanceof Element) || !findTitled(event.target)) return;
      stop();
      const since = performance.now();
      // Offline, the browser's own tooltip is used, and the next element tries again.
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
  return layer ? <layer.Layer since={layer.since} findTitled={findTitled} /> : null;
}

/**
 * The props of `tooltip.client.tsx`: when the pointer or focus arrived (`performance.now()`), and how to find the
 * element.
 */
interface LayerProps {
  since: number;
  findTitled: typeof findTitled;
}

const INTENTS = ["pointerover", "focusin"];
