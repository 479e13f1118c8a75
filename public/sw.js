/*
 * The service worker: pushes, and a page for navigations that fail for want of a network. Pages always come from the
 * site first, and the files of the build are never intercepted, so no browser can be caught in an old build. The only
 * thing it keeps is a copy of `/offline`, requested without cookies. It is served as it is written here;
 * `app/features/notifications/push` and `app/offline.ts` have the other end.
 *
 * Raise the version with every change of this file or of the page. A new version takes over at once, which is safe
 * because no page depends on the one that it began with.
 */
const VERSION = 4;

/** The cache of this version's copy of the page and its files. */
const CACHE = `lineup-offline-${VERSION}`;

/** The notification for a push that this version can't read. */
const UNREADABLE = { tag: "news", title: "You have news", url: "/dashboard/notifications", open: null, at: 0 };

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Browsers that can skip this worker do so for the build's files.
  event.addRoutes?.({ condition: { urlPattern: "/build/*" }, source: "network" });
  // If this fails, the browser keeps the version before and tries again later.
  event.waitUntil(keepOfflinePage());
});
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));

self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(openPage(event));
  else if (url.startsWith(`${self.location.origin}/offline/`)) event.respondWith(findCopy(event.request));
});

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

// The browser has replaced its subscription, or its push service has ended it.
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));

// A page passes on its unread counts.
self.addEventListener("message", (event) => {
  if (event.data?.type === "unread") event.waitUntil(tidyUp(event.data));
});

/**
 * Keeps a copy of `/offline`, its style sheet, its fonts and its script. The copies of the build's files get addresses
 * of their own, under `/offline/` instead of `/build/`.
 */
async function keepOfflinePage() {
  const page = await load("/offline", { credentials: "omit", cache: "no-cache" });
  const html = await page.text();
  const files = new Set([...html.matchAll(/(?:href|src)="(\/(?:build|offline)\/[^"]+)"/g)].map(([, path]) => path));
  const cache = await caches.open(CACHE);
  await Promise.all(
    [...files].map(async (path) => {
      const file = await load(path, { credentials: "omit" });
      const body = path.endsWith(".css") ? copied(await file.text()) : await file.blob();
      await cache.put(copied(path), answer(body, file));
    }),
  );
  await cache.put("/offline", answer(copied(html), page));
}

async function load(path, options) {
  const response = await fetch(path, options);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

const copied = (text) => text.replaceAll("/build/", "/offline/");

/** A response with only those headers that its copy needs. */
function answer(body, { headers }) {
  const kept = ["Content-Type", "Content-Security-Policy"].filter((name) => headers.has(name));
  return new Response(body, { headers: kept.map((name) => [name, headers.get(name)]) });
}

/** Deletes what earlier versions kept, and takes over the open pages. */
async function takeOver() {
  const old = (await caches.keys()).filter((name) => name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  // The browser requests a page while it starts this worker.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** Loads a page from the site, or shows the copy of `/offline` at the page's own address if that can't be reached. */
async function openPage({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await caches.match("/offline");
    if (!page) throw error;
    return page;
  }
}

const findCopy = async (request) => (await caches.match(request)) ?? fetch(request);

/** Shows a push. Browsers demand that each push is shown, so another push can't remove one that was read elsewhere. */
async function show(data) {
  const push = read(data);
  await self.registration.showNotification(push.title, {
    tag: push.tag,
    // A repeat takes the place of the one before without a sound.
    renotify: !push.isRepeat,
    icon: "/icons/icon-192.png",
    data: { url: push.url, at: push.at, version: VERSION },
    ...(push.body && { body: push.body }),
  });
  await closeRead(push);
  await count(push.unread);
}

function read(data) {
  try {
    return { ...UNREADABLE, ...data.json() };
  } catch {
    return UNREADABLE;
  }
}

/** Closes notifications that were read meanwhile, on this device or another. */
async function tidyUp({ messages, notifications }) {
  // A message is in both counts, see `app/features/notifications/shared/unread-total.ts`.
  await count(Math.max(messages, notifications));
  const shown = await self.registration.getNotifications();
  if (shown.length === 0) return;
  const site = await askSite();
  if (site) await closeRead(site);
}

/** Asks for the player's unread news and the site's key; undefined if nobody is signed in. */
async function askSite() {
  const response = await fetch("/push");
  return response.ok ? response.json() : undefined;
}

/**
 * Closes notifications that were read.
 * @param news.open the tags of all unread news, null if they are unknown
 * @param news.at when that was so: pushes may arrive out of order, so a notification from after that stays
 */
async function closeRead({ open, at }) {
  if (!open) return;
  for (const one of await self.registration.getNotifications())
    if (!open.includes(one.tag) && (one.data?.at ?? 0) < at) one.close();
}

/** Shows a number on the app's icon, where that exists. */
async function count(unread) {
  if (!self.navigator.setAppBadge || unread === undefined) return;
  await (unread > 0 ? self.navigator.setAppBadge(unread) : self.navigator.clearAppBadge()).catch(() => undefined);
}

/** Shows a page: in a tab that is there already, or else in a new one, so that no tab loses what it holds. */
async function open(path) {
  const { href } = new URL(path, self.location.origin);
  const tab = chooseTab(await self.clients.matchAll({ type: "window", includeUncontrolled: true }), href);
  if (tab) await tab.focus();
  else await self.clients.openWindow(href);
}

/**
 * Chooses the tab for an address: one with the same path, if possible with the same query, and rather one in view.
 * @returns undefined if there is none
 */
function chooseTab(tabs, href) {
  const pathOf = (address) => new URL(address).pathname;
  const rate = ({ url, focused, visibilityState }) =>
    (url === href ? 4 : 0) + (focused ? 2 : 0) + (visibilityState === "visible" ? 1 : 0);
  const [best] = tabs.filter(({ url }) => pathOf(url) === pathOf(href)).sort((a, b) => rate(b) - rate(a));
  return best;
}

/** Subscribes again if the browser hasn't, and passes the subscription on. Not all browsers say which one it replaces. */
async function renew({ oldSubscription, newSubscription }) {
  const subscription = newSubscription ?? (await subscribe());
  if (!subscription) return;
  const { endpoint, keys } = subscription.toJSON();
  const replaces = oldSubscription && { replaces: oldSubscription.endpoint };
  await fetch("/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys, ...replaces }) });
}

async function subscribe() {
  const key = (await askSite())?.publicKey;
  return key && self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}
