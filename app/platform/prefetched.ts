/*
 * Decides which prefetched pages are still up to date. Chromium answers the first request within five minutes with what
 * it has prefetched, whatever the response's `max-age` says. So a page could be minutes old if the player had only
 * pointed at its link before, and a page that reloads itself would get the old data again
 * (docs/decisions/0076-prefetched-pages.md).
 */

/** How long a prefetched page may be used, in milliseconds; the `max-age` of the server's response says the same. */
const LIFETIME = 10_000;

/** When the data of each prefetched page was requested, by its URL, in milliseconds of `performance.now()`. */
const requestedAt = new Map<string, number>();
/** The elements whose prefetches began before the last change. */
const outdated = new WeakSet<Element>();
let changedAt = -1;

/** Notes which pages the browser prefetches. */
export function watchPrefetches(): void {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[]) {
      const { name, initiatorType, startTime, transferSize } = entry;
      if (initiatorType !== "link" || !new URL(name).pathname.endsWith(".data")) continue;
      // A prefetch may itself be answered from the cache, and is then older than it seems.
      if (transferSize > 0) requestedAt.set(name, startTime);
      else if (!requestedAt.has(name)) requestedAt.set(name, Number.NEGATIVE_INFINITY);
    }
  }).observe({ type: "resource", buffered: true });
}

/** Discards all prefetches, finished or running, because a form or news has changed something. */
export function forgetPrefetched(): void {
  changedAt = performance.now();
  for (const link of document.querySelectorAll('link[rel="prefetch"]')) outdated.add(link);
}

/**
 * Whether a request for a page's data may be answered with a prefetched response. It must be recent, and nothing may
 * have changed since. The page that is shown never gets one, because it only asks again to see what is new.
 * @param url of the data
 */
export function mayUsePrefetched(url: URL): boolean {
  if (url.pathname.replace(/(\/_root)?\.data$/, "") === location.pathname.replace(/\/$/, "")) return false;
  const at = requestedAt.get(url.href);
  // Only finished requests are noted. While a prefetch runs, its element is in the document.
  if (at === undefined) {
    const link = document.querySelector(`link[rel="prefetch"][href="${url.pathname}${url.search}"]`);
    return link !== null && !outdated.has(link);
  }
  return at > changedAt && performance.now() - at < LIFETIME;
}
