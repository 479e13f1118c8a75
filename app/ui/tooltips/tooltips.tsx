import { IntentLayer } from "./intent-layer";

/** Finds the element whose `title` applies to a target. A field's `title` belongs to the browser's validation. */
const findTitled = (place: Element): HTMLElement | null => place.closest("[title]:not(input, iframe)");

const load = () => import("./tooltip.client").then(({ TooltipLayer }) => TooltipLayer);

/**
 * Tooltips for all elements with a `title`: the browser's own at first and without JavaScript, Radix's
 * (`tooltip.client.tsx`) once the first such element is hovered or focused.
 */
export const Tooltips = () => <IntentLayer find={findTitled} load={load} />;
