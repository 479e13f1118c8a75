import { whenIdle } from "../hooks/when-idle";

/*
 * The marks by which the style sheets leave out the items of a list that are out of view (styles/players.css), and the
 * files of rarer letters (styles/fonts.css).
 */

/**
 * Marks the page as settled once the browser is idle. Then all items are laid out and painted, and rarer letters load.
 */
export function settleWhenIdle(): void {
  whenIdle(() => {
    const { dataset } = document.documentElement;
    dataset.settled = "true";
    delete dataset.leaving;
  });
}

/**
 * Marks the page as being left for another page, which will open at its top. Until that page has settled, only items in
 * view are laid out and painted. This applies to both pages, because the transition between them draws both.
 */
export function leavePage(): void {
  document.documentElement.dataset.leaving = "";
}
