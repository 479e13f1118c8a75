import { whenIdle } from "../hooks/when-idle";

/* The marks by which the style sheet leaves out the items of a list that are out of view (styles/players.css). */

/** Marks the page as settled once the browser is idle. Then all items are laid out and painted. */
export function settleWhenIdle(): void {
  whenIdle(() => {
    const { dataset } = document.documentElement;
    dataset.settled = "true";
    delete dataset.leaving;
  });
}

/**
 * Marks the page as one that is being left for another, which begins at its top. Until the next page has settled, only
 * the items in view are laid out and painted, those of this page included: the transition between the two draws both.
 */
export function leavePage(): void {
  document.documentElement.dataset.leaving = "";
}
