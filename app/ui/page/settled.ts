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

let isLeaving = false;

/**
 * Notes that the page is being left for another page, which will open at its top. Until that page has settled, only its
 * items in view are laid out and painted.
 * @param hasTransition whether a view transition draws both pages; then the same applies to the page that is left.
 * Otherwise it isn't marked, because the mark would paint it again just before it goes.
 */
export function leavePage(hasTransition: boolean): void {
  isLeaving = true;
  if (hasTransition) openPage();
}

/** Marks the page that has just opened, before it is laid out, if `leavePage` was called for it. */
export function openPage(): void {
  if (isLeaving) document.documentElement.dataset.leaving = "";
  isLeaving = false;
}
