/*
 * The service worker of pushes. It has no fetch handler and caches nothing, so pages always come from the site: no
 * browser can be caught in an old build, and no private page is kept. A new version takes over at once. It is served as
 * it is written here; `app/features/notifications/push` has the other end.
 */
const VERSION = 1;

/** The notification for a push that this version can't read. */
const UNREADABLE = { tag: "news", title: "You have news", url: "/dashboard/notifications", open: null };

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

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

/** Shows a push. Browsers demand that each push is shown, so one that was read elsewhere can't be taken back by another. */
async function show(data) {
  const push = read(data);
  await self.registration.showNotification(push.title, {
    tag: push.tag,
    // A repeat takes the place of the one before without a sound.
    renotify: !push.isRepeat,
    icon: "/icons/icon-192.png",
    data: { url: push.url, version: VERSION },
    ...(push.body && { body: push.body }),
  });
  if (push.open) await closeExcept(push.open);
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
  await count(messages + notifications);
  const shown = await self.registration.getNotifications();
  if (shown.length === 0) return;
  if (messages + notifications === 0) await closeExcept([]);
  else {
    const response = await fetch("/push");
    const { open } = response.ok ? await response.json() : { open: null };
    if (open) await closeExcept(open);
  }
}

async function closeExcept(tags) {
  for (const one of await self.registration.getNotifications()) if (!tags.includes(one.tag)) one.close();
}

/** Shows a number on the app's icon, where that exists. */
async function count(unread) {
  if (!self.navigator.setAppBadge || unread === undefined) return;
  await (unread > 0 ? self.navigator.setAppBadge(unread) : self.navigator.clearAppBadge()).catch(() => undefined);
}

/** Shows a page: in a tab that is there already, or else in a new one, so that no tab loses what it holds. */
async function open(path) {
  const address = new URL(path, self.location.origin);
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => new URL(url).pathname === address.pathname);
  if (tab) await tab.focus();
  else await self.clients.openWindow(address.href);
}

async function renew({ oldSubscription, newSubscription }) {
  const before = oldSubscription ?? null;
  const key = before?.options.applicationServerKey;
  if (!newSubscription && !key) return;
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (newSubscription ?? (await self.registration.pushManager.subscribe(wanted))).toJSON();
  const replaces = before && { replaces: before.endpoint };
  await fetch("/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys, ...replaces }) });
}
