import { type NavigateFunction, PrefetchPageLinks, useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";

/** How long a player points at a link before its page is loaded ahead, in milliseconds. */
const INTENT = 100;

/** Follows the links made by `Link`, and loads their pages ahead. A document has one. */
export function FollowLinks() {
  const navigate = useNavigate();
  const [intended, setIntended] = useState<string | null>(null);
  useEffect(() => {
    const stops = [followClicks(navigate), watchIntent(setIntended)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [navigate]);
  return intended && <PrefetchPageLinks page={intended} />;
}

const linkAt = ({ target }: Event) =>
  target instanceof Element ? target.closest<HTMLAnchorElement>("a[data-discover]") : null;

const has = (link: HTMLAnchorElement, word: string) => link.dataset.discover?.split(" ").includes(word) ?? false;

const pathOf = ({ pathname, search, hash }: HTMLAnchorElement) => pathname + search + hash;

/** Navigates when a link is clicked, unless the click is meant for the browser, as a click with Ctrl is. */
function followClicks(navigate: NavigateFunction): () => void {
  function follow(event: MouseEvent) {
    const link = linkAt(event);
    const isForBrowser = event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (!link || event.defaultPrevented || isForBrowser || (link.target && link.target !== "_self")) return;
    event.preventDefault();
    navigate(pathOf(link), {
      // A link to the page itself adds no entry to the history, as in browsers.
      replace: has(link, "replace") || link.href === location.href,
      preventScrollReset: has(link, "stay"),
      viewTransition: has(link, "morph"),
    });
  }
  // React's own listeners are on the document, too, and were there first. So a handler can still prevent the click.
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}

/** Reports the path of a link that a player points at, touches or focuses for a moment; null once they leave it. */
function watchIntent(report: (path: string | null) => void): () => void {
  let current: HTMLAnchorElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function leave() {
    clearTimeout(timer);
    if (current) report(null);
    current = null;
  }
  function enter(event: Event) {
    const link = linkAt(event);
    if (link === current) return;
    leave();
    if (!link || !has(link, "intent")) return;
    current = link;
    timer = setTimeout(() => report(pathOf(link)), INTENT);
  }
  /** A clicked link is already being followed. */
  const stopWaiting = () => clearTimeout(timer);
  const events = { pointerover: enter, focusin: enter, focusout: leave, touchstart: enter, click: stopWaiting };
  for (const [name, listen] of Object.entries(events)) document.addEventListener(name, listen, { passive: true });
  return () => {
    stopWaiting();
    for (const [name, listen] of Object.entries(events)) document.removeEventListener(name, listen);
  };
}
