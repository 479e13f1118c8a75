import { type NavigateFunction, PrefetchPageLinks, useLocation, useNavigate } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { isOffline } from "~/platform/network";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";
import { leavePage, openPage } from "./settled";

/** How long a player must point at a link before its page is prefetched, in milliseconds. */
const INTENT = 100;

/** Follows the links made by `Link`, and prefetches their pages. Rendered once per document. */
export function FollowLinks() {
  const navigate = useNavigate();
  const { key } = useLocation();
  const shown = useRef(key);
  shown.current = key;
  /** The path of the link that the player seems about to follow, and the location key of the page that has it. */
  const [intended, setIntended] = useState<{ path: string; on: string } | null>(null);
  useBrowserLayoutEffect(openPage, [key]);
  useEffect(() => {
    const stops = [
      followClicks(navigate),
      watchIntent((path) => setIntended(path === null ? null : { path, on: shown.current })),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [navigate]);
  return intended?.on === key && <PrefetchPageLinks page={intended.path} />;
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
    if (!link || event.defaultPrevented || isForBrowser) return;
    if (link.origin !== location.origin || (link.target && link.target !== "_self")) return;
    event.preventDefault();
    if (!has(link, "stay") && !link.hash) leavePage(has(link, "morph"));
    navigate(pathOf(link), {
      // A link to the page itself adds no entry to the history, as in browsers.
      replace: has(link, "replace") || link.href === location.href,
      preventScrollReset: has(link, "stay"),
      viewTransition: has(link, "morph"),
    });
  }
  // React's own listeners are also on the document, and were there first. So an `onClick` can still prevent the
  // navigation.
  document.addEventListener("click", follow);
  return () => document.removeEventListener("click", follow);
}

/**
 * Reports the path of a link that a player points at, touches or focuses for a moment, and null once they leave it.
 * Without a network it reports nothing: a page's script that can't be prefetched makes Remix reload the document.
 */
function watchIntent(report: (path: string | null) => void): () => void {
  let current: HTMLAnchorElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  function leave() {
    clearTimeout(timer);
    if (current) report(null);
    current = null;
  }
  function enter(link: HTMLAnchorElement) {
    if (link === current) return;
    leave();
    current = link;
    timer = setTimeout(() => isOffline() || report(pathOf(link)), INTENT);
  }
  const intentAt = (event: Event) => {
    const link = linkAt(event);
    return link && has(link, "intent") ? link : null;
  };
  function point(event: Event) {
    const link = intentAt(event);
    if (link) enter(link);
    // The pointer may rest elsewhere while the keyboard moves the focus.
    else if (current !== document.activeElement) leave();
  }
  function focus(event: Event) {
    const link = intentAt(event);
    if (link) enter(link);
  }
  function blur({ target }: Event) {
    // The pointer may still be on it.
    if (target === current && !current?.matches(":hover")) leave();
  }
  /** A clicked link is already being followed. */
  const stopWaiting = () => clearTimeout(timer);
  const events = { pointerover: point, touchstart: point, focusin: focus, focusout: blur, click: stopWaiting };
  for (const [name, listen] of Object.entries(events)) document.addEventListener(name, listen, { passive: true });
  return () => {
    stopWaiting();
    for (const [name, listen] of Object.entries(events)) document.removeEventListener(name, listen);
  };
}
