import { matchRoutes } from "@remix-run/react";
import { useSyncExternalStore } from "react";

/*
 * Whether this page reaches its site, and what waits until it does. Everything that the page asks for goes through
 * `watchNetwork`'s fetch (docs/decisions/0030-offline.md).
 */

/** Waits between two looks while the site can't be reached, in milliseconds; the last one stays. */
const DELAYS = [1_000, 2_000, 5_000, 10_000];
const PROBE_TIMEOUT = 5_000;
/** How often a load is repeated whose request fails although the site is reached. */
const RETRIES = 3;

/** The event that says on `window`: a button found no way to the server, and nobody else says so. */
export const UNANSWERED = "lineup:unanswered";
/** What an action answers that returns null, as Remix's single fetch writes it. */
const NULL_ANSWER = '[{"_1":-5},"data"]\n';

let send: typeof fetch;
let isReached = true;
let looking: Promise<void> | undefined;
let firstLook: Promise<boolean>;
/** Loads of pages that wait for the network. */
let waiting = 0;
/** Forms under way that say themselves that they found no way. */
let selfAnswering = 0;
const listeners = new Set<() => void>();

/** Whether nothing should be asked for now. The browser may know before its event has come. */
const isAway = (): boolean => !isReached || !navigator.onLine;

function setReached(value: boolean): void {
  isReached = value;
  for (const listener of listeners) listener();
}

/** Runs what a page that was asked for waits for. */
async function waitIn<T>(work: Promise<T>): Promise<void> {
  const count = (change: number) => {
    waiting += change;
    for (const listener of listeners) listener();
  };
  count(1);
  await work;
  count(-1);
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the site is reached, as far as the page knows. */
export const useOnline = (): boolean =>
  useSyncExternalStore(
    listen,
    () => isReached,
    () => true,
  );

/** Whether a page that was asked for waits for the network. */
export const useWaitsForNetwork = (): boolean =>
  useSyncExternalStore(
    listen,
    () => !isReached && waiting > 0,
    () => false,
  );

/** Resolves once the site is reached; at once if it is. */
export const whenOnline = (): Promise<void> => looking ?? Promise.resolve();

/** A pause that ends early when the browser says that the network is back. */
function pause(duration: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, duration);
    window.addEventListener("online", end);
    function end() {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    }
  });
}

const probe = (): Promise<boolean> =>
  navigator.onLine
    ? send("/healthz", { method: "HEAD", signal: AbortSignal.timeout(PROBE_TIMEOUT) }).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);

/**
 * Something found no way: looks whether the site is out of reach, and if so, until it is back.
 * @returns whether it is reached at this moment
 */
export function doubt(): Promise<boolean> {
  if (!looking) {
    firstLook = probe();
    looking = look(firstLook).finally(() => {
      looking = undefined;
    });
  }
  return firstLook;
}

async function look(first: Promise<boolean>): Promise<void> {
  for (let round = 0; !(await (round === 0 ? first : probe())); round += 1) {
    if (isReached) setReached(false);
    await pause(DELAYS[Math.min(round, DELAYS.length - 1)] as number);
  }
  if (!isReached) setReached(true);
}

/**
 * Runs a form's request whose failure is answered where it is made.
 * @param submit asks the server
 */
export async function answeringItself<T>(submit: () => Promise<T>): Promise<T> {
  selfAnswering += 1;
  try {
    return await submit();
  } finally {
    selfAnswering -= 1;
  }
}

/**
 * Loads data of a page, however long the network is away: what is on the screen stays until then.
 * @throws what `fetch` throws when the load is given up for a newer one, or fails again and again with the site reached
 */
async function load(input: RequestInfo | URL, init: RequestInit | undefined): Promise<Response> {
  let failures = 0;
  for (let round = 0; ; round += 1) {
    try {
      const response = await send(input, init);
      if (response.status === 204) return response;
      // Whole, so that nobody reads on from a load that is given up: Remix would write that to the console.
      return new Response(await response.arrayBuffer(), response);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      if (await doubt()) failures += 1;
      if (failures > RETRIES) throw error;
    }
    const delay = DELAYS[Math.min(round, DELAYS.length - 1)] as number;
    await waitIn(Promise.all([whenOnline(), pause(delay)]));
    init?.signal?.throwIfAborted();
  }
}

let isHolding = false;
let lastHeld = 0;

/**
 * Has the router hold what it can't do without network: a page that is asked for opens once the network is back, the
 * last one if there were several, and none once the player has gone back or forward. Remix would ask for the page's
 * script at once, and reload the document in vain. Called when the page has come to life, as there is no router before.
 */
export function holdNavigations(): void {
  const router = window.__remixRouter;
  if (isHolding || !router) return;
  isHolding = true;
  const { navigate } = router;
  const forget = () => {
    lastHeld += 1;
  };
  window.addEventListener("popstate", forget);
  router.navigate = async (to: Parameters<typeof navigate>[0] | number, options?: Parameters<typeof navigate>[1]) => {
    const go = () => navigate(to as Parameters<typeof navigate>[0], options);
    if (typeof to === "number") forget();
    if (!isAway() || typeof to === "number" || to === null) return go();
    void doubt();
    if (options && "formMethod" in options && options.formMethod?.toLowerCase() === "post") {
      const needed = matchRoutes(router.routes, to) ?? [];
      if (needed.every(({ route }) => (route.id ?? "") in window.__remixRouteModules)) return go();
      window.dispatchEvent(new Event(UNANSWERED));
      return;
    }
    forget();
    const own = lastHeld;
    await waitIn(whenOnline());
    if (own === lastHeld) await go();
  };
}

/**
 * Has all requests of the page watched. Loads of pages wait for the network; a form that doesn't answer itself is
 * answered with `UNANSWERED`, and the page stays; everything else fails as ever.
 */
export function watchNetwork(): void {
  send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    const isOurs = origin === location.origin;
    const isData = isOurs && pathname.endsWith(".data");
    const isPost = init?.method?.toUpperCase() === "POST";
    if (!isPost && (isData || (isOurs && pathname === "/__manifest"))) return load(input, init);
    try {
      return await send(input, init);
    } catch (error) {
      if (isOurs && !init?.signal?.aborted) void doubt();
      if (!isData || selfAnswering > 0 || !(error instanceof TypeError)) throw error;
      window.dispatchEvent(new Event(UNANSWERED));
      return new Response(NULL_ANSWER, { status: 503 });
    }
  };
  window.addEventListener("offline", () => void doubt());
  // Remix fetches a page's script ahead when its link is touched, and reloads the document where that fails. React
  // learns that the pointer has come to a link from the `mouseout` of the element that it came from.
  for (const touch of ["mouseover", "mouseout", "focusin", "touchstart"]) {
    const stop = (event: Event) => {
      const touched = touch === "mouseout" ? (event as MouseEvent).relatedTarget : event.target;
      if (isAway() && (touched as Element | null)?.closest?.("a")) event.stopPropagation();
    };
    window.addEventListener(touch, stop, { capture: true, passive: true });
  }
  if (!navigator.onLine) void doubt();
}
