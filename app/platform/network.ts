import { matchRoutes } from "@remix-run/react";
import { useSyncExternalStore } from "react";
import { forgetPrefetched, mayUsePrefetched, watchPrefetches } from "./prefetched";

/*
 * Tracks whether this page can reach its site, and delays page loads until it can. All requests of the page go through
 * the `fetch` of `watchNetwork` (docs/decisions/0030-offline.md).
 */

/** Delays between two probes while the site can't be reached, in milliseconds; the last one repeats. */
const DELAYS = [1_000, 2_000, 5_000, 10_000];
const PROBE_TIMEOUT = 5_000;
/** The number of times that a page load is retried if it fails although the site is reachable. */
const RETRIES = 3;

/**
 * The event dispatched on `window` after a form's request couldn't reach the server. Forms that report this failure
 * themselves don't cause it.
 */
export const SUBMISSION_FAILED = "lineup:unanswered";
/** The response of an action that returns null, as Remix's single fetch encodes it. */
const NULL_ANSWER = '[{"_1":-5},"data"]\n';

let send: typeof fetch;
let isReached = true;
let reconnecting: Promise<void> | undefined;
let firstProbe: Promise<boolean>;
/** The number of page loads that wait for the network. */
let waiting = 0;
/** The signal of a reload that has failed and waits for its next try. A load that replaces it aborts it. */
let waitingReload: AbortSignal | null | undefined;
/** The number of running form submissions that report their network failures themselves. */
let selfReporting = 0;
const listeners = new Set<() => void>();

/** Whether requests would fail now. `navigator.onLine` may change before its event arrives. */
export const isOffline = (): boolean => !isReached || !navigator.onLine;

function notify(): void {
  for (const listener of listeners) listener();
}

function setReached(value: boolean): void {
  isReached = value;
  notify();
}

function setWaitingReload(signal?: typeof waitingReload): void {
  waitingReload = signal;
  notify();
}

/** Awaits work that a requested page depends on, and counts it as waiting. */
async function trackWaiting<T>(work: Promise<T>): Promise<void> {
  waiting += 1;
  notify();
  await work;
  waiting -= 1;
  notify();
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the site is reachable, as far as the page knows. */
export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    listen,
    () => isReached,
    () => true,
  );

/** Whether a requested page is waiting for the network. */
export const useIsWaitingForNetwork = (): boolean =>
  useSyncExternalStore(
    listen,
    () => !isReached && waiting > 0,
    () => false,
  );

/** Whether a reload of the page has failed and waits for its next try, which may take hours in a hidden tab. */
export const useIsReloadWaiting = (): boolean =>
  useSyncExternalStore(
    listen,
    () => waitingReload?.aborted === false,
    () => false,
  );

/** Resolves once the site is reachable; immediately if it already is. */
export const whenOnline = (): Promise<void> => reconnecting ?? Promise.resolve();

/**
 * Waits before a retry, but no longer than until the browser reports that the network is back. Pages that failed at the
 * same moment wait for different times.
 * @param round 0 for the first one
 */
export const pause = (round: number): Promise<unknown> =>
  new Promise((resolve) => {
    const delay = DELAYS[Math.min(round, DELAYS.length - 1)] as number;
    const duration = Math.round(delay * (0.75 + Math.random() / 2));
    setTimeout(resolve, duration);
    window.addEventListener("online", resolve, { signal: AbortSignal.timeout(duration) });
  });

const probe = (): Promise<boolean> =>
  navigator.onLine
    ? send("/healthz", { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT) }).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);

/**
 * Checks after a failed request whether the site is reachable, and keeps checking until it is.
 * @returns whether it is reachable now
 */
export function checkConnection(): Promise<boolean> {
  if (!reconnecting) {
    firstProbe = probe();
    reconnecting = waitUntilReached(firstProbe).finally(() => {
      reconnecting = undefined;
    });
  }
  return firstProbe;
}

async function waitUntilReached(first: Promise<boolean>): Promise<void> {
  for (let round = 0; !(await (round === 0 ? first : probe())); round += 1) {
    if (isReached) setReached(false);
    await pause(round);
  }
  if (!isReached) setReached(true);
}

/**
 * Runs a form submission that reports its network failure itself.
 * @param submit sends the request
 */
export async function runSelfReporting<T>(submit: () => Promise<T>): Promise<T> {
  selfReporting += 1;
  try {
    return await submit();
  } finally {
    selfReporting -= 1;
  }
}

/** Whether the page is reloading its data without the player having asked for it. */
function isReloading(): boolean {
  const state = window.__remixRouter?.state;
  return state?.revalidation === "loading" && state.navigation.state === "idle";
}

/** Resolves once the tab is visible; immediately if it already is. */
export const whenVisible = (): Promise<unknown> =>
  new Promise((resolve) => {
    if (document.hidden) document.addEventListener("visibilitychange", resolve, { once: true });
    else resolve(null);
  });

/**
 * Whether a response says what the page now contains. Rate limits and outages are temporary, and a response without
 * Remix's header comes from something between the browser and the app.
 */
const isAnswer = ({ status, headers }: Response): boolean =>
  status < 500 && status !== 429 && headers.has("X-Remix-Response");

/**
 * Loads a page's data, and waits for the network if it is down; the current page stays until then. A reload that the
 * player hasn't asked for is repeated until it succeeds, but only while the tab is visible: an error page would take
 * the place of what they are reading or typing.
 * @param isReload whether this load belongs to such a reload, asked after each try
 * @throws the error of `fetch` if a newer load replaces this one, or if it keeps failing although the site is reachable
 */
async function load(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  isReload: () => boolean,
): Promise<Response> {
  let failures = 0;
  for (let round = 0; ; round += 1) {
    try {
      const response = await send(input, init);
      if (response.status === 204) return response;
      // Read the whole body here: Remix would log a console error if it were still reading when the load is aborted.
      const body = await response.arrayBuffer();
      if (isAnswer(response) || !isReload()) return new Response(body, response);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (await checkConnection()) failures += 1;
      if (failures > RETRIES && !isReload()) throw error;
    }
    const signal = init?.signal;
    signal?.throwIfAborted();
    const wait = Promise.all([whenOnline(), pause(round)]);
    if (isReload()) {
      setWaitingReload(signal);
      await wait.then(whenVisible);
      // A newer reload may be waiting by now.
      if (waitingReload === signal) setWaitingReload();
    } else await trackWaiting(wait);
    signal?.throwIfAborted();
  }
}

/** The requests for routes that are under way, by URL. */
const discoveries = new Map<string, Promise<Response>>();

/**
 * Loads the routes behind links on the page. Until a response arrives, Remix sends the same request again each time the
 * page changes, so such requests share one response.
 */
async function discoverRoutes(href: string): Promise<Response> {
  const discovery = discoveries.get(href) ?? load(href, undefined, () => false).finally(() => discoveries.delete(href));
  discoveries.set(href, discovery);
  return (await discovery).clone();
}

let isHolding = false;
let lastHeld = 0;

/**
 * Makes the router hold navigations while the site is unreachable. Once the network is back, the last requested page
 * opens, unless the player has gone back or forward since. A form whose action needs a missing script isn't sent;
 * `SUBMISSION_FAILED` reports that. Without this, Remix would request the script immediately, fail, and reload the
 * document in vain. Call it after hydration, because the router doesn't exist until then.
 */
export function holdNavigations(): void {
  const router = window.__remixRouter;
  if (isHolding || !router) return;
  isHolding = true;
  const { navigate, fetch: submit } = router;
  /** Refuses an action whose script is missing, and says so. @returns whether it was refused */
  const refuseUnloaded = (action: Parameters<typeof matchRoutes>[1]): boolean => {
    const needed = matchRoutes(router.routes, action) ?? [];
    if (needed.every(({ route }) => (route.id ?? "") in window.__remixRouteModules)) return false;
    window.dispatchEvent(new Event(SUBMISSION_FAILED));
    return true;
  };
  const forget = () => {
    lastHeld += 1;
  };
  window.addEventListener("popstate", forget);
  router.navigate = async (to: Parameters<typeof navigate>[0] | number, options?: Parameters<typeof navigate>[1]) => {
    const go = () => navigate(to as Parameters<typeof navigate>[0], options);
    if (typeof to === "number") forget();
    if (!isOffline() || typeof to === "number" || to === null) return go();
    void checkConnection();
    if (isPost(options)) return refuseUnloaded(to) ? undefined : go();
    forget();
    const own = lastHeld;
    await trackWaiting(whenOnline());
    if (own === lastHeld) await go();
  };
  router.fetch = (key, routeId, href, options) => {
    if (isOffline() && href !== null && isPost(options)) {
      void checkConnection();
      if (refuseUnloaded(href)) return;
    }
    submit(key, routeId, href, options);
  };
}

const isPost = (options: object | undefined): boolean =>
  (options as { formMethod?: string } | undefined)?.formMethod?.toUpperCase() === "POST";

/**
 * Watches all requests of the page. Page loads wait for the network. If a form's request fails and the form doesn't
 * report that itself, dispatches `SUBMISSION_FAILED` and returns an empty response, so that the page stays. All other
 * requests fail as usual.
 */
export function watchNetwork(): void {
  watchPrefetches();
  send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, location.href);
    const { origin, pathname } = url;
    const isOurs = origin === location.origin;
    const isData = isOurs && pathname.endsWith(".data");
    const isSubmission = init?.method?.toUpperCase() === "POST";
    if (isSubmission) forgetPrefetched();
    else if (isData) return load(input, mayUsePrefetched(url) ? init : { ...init, cache: "no-cache" }, isReloading);
    else if (isOurs && pathname === "/__manifest")
      return init?.signal ? load(input, init, () => false) : discoverRoutes(url.href);
    try {
      return await send(input, init);
    } catch (error) {
      if (isOurs && !init?.signal?.aborted) void checkConnection();
      if (!isData || selfReporting > 0 || !(error instanceof TypeError)) throw error;
      window.dispatchEvent(new Event(SUBMISSION_FAILED));
      return new Response(NULL_ANSWER, { status: 503 });
    } finally {
      // Pages prefetched while the form was being sent may show the state before it.
      if (isSubmission) forgetPrefetched();
    }
  };
  window.addEventListener("offline", () => void checkConnection());
  if (!navigator.onLine) void checkConnection();
}
