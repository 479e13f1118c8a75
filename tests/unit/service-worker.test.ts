import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../public", path), "utf8");
const SOURCE = read("sw.js");
const ORIGIN = "https://lineup.example";

interface Tab {
  url: string;
  focused: boolean;
  visibilityState: "visible" | "hidden";
}

interface Shown {
  tag: string;
  data: { url: string; at?: number };
}

/** The response to the service worker's request for the player's unread news and the site's key. */
type Site = { open: string[]; at: number; publicKey: string | null } | null;

/** Runs the service worker with these open tabs, in a browser that only records. @param site null while signed out */
function startServiceWorker(tabs: Tab[] = [], site: Site = null) {
  const done: string[] = [];
  const listeners: Record<string, (event: object) => void> = {};
  const note = (what: string) => async () => void done.push(what);
  const shown = new Map<string, Shown>();
  const self = {
    location: new URL(ORIGIN),
    addEventListener: (type: string, listener: (event: object) => void) => {
      listeners[type] = listener;
    },
    navigator: {
      setAppBadge: async (count: number) => void done.push(`badge ${count}`),
      clearAppBadge: note("no badge"),
    },
    registration: {
      showNotification: async (title: string, one: Shown) => {
        done.push(`shows ${title}, ${one.tag}, ${one.data.url}`);
        shown.set(one.tag, one);
      },
      getNotifications: async () => [...shown.values()].map((one) => ({ ...one, close: () => shown.delete(one.tag) })),
      pushManager: {
        subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
          done.push(`subscribes with ${applicationServerKey}`);
          return subscriptionAt("https://push.example/new");
        },
      },
    },
    clients: {
      matchAll: async () => tabs.map((tab) => ({ ...tab, focus: note(`focuses ${tab.url}`) })),
      openWindow: async (href: string) => void done.push(`opens ${href}`),
    },
  };
  const fetch = async (path: string, { body }: { body?: URLSearchParams } = {}) => {
    done.push(body ? `sends ${path} ${decodeURIComponent(`${body}`)}` : `asks ${path}`);
    return site ? Response.json(site) : new Response(null, { status: 401 });
  };
  const context = createContext({ self, URL, URLSearchParams, caches: {}, fetch });
  runInContext(SOURCE, context);
  return {
    done,
    /** The tags of the notifications on the screen. */
    shown: () => [...shown.keys()],
    chooseTab: context.chooseTab as (tabs: Tab[], href: string) => Tab | undefined,
    /** Delivers an event. @returns once its work is done: whether the worker responds to it itself */
    async deliver(type: string, event: object): Promise<boolean> {
      const work: Promise<unknown>[] = [];
      let isAnswered = false;
      const respondWith = (response: Promise<unknown>) => {
        isAnswered = true;
        work.push(response.catch(() => undefined));
      };
      listeners[type]?.({ ...event, waitUntil: (one: Promise<unknown>) => work.push(one), respondWith });
      await Promise.all(work);
      return isAnswered;
    },
  };
}

const subscriptionAt = (endpoint: string) => ({ endpoint, toJSON: () => ({ endpoint, keys: { auth: "secret" } }) });

const tab = (path: string, part: Partial<Tab> = {}): Tab => ({
  url: ORIGIN + path,
  focused: false,
  visibilityState: "hidden",
  ...part,
});

describe("A click on a notification", () => {
  const click = (url: string) => ({ notification: { close: () => undefined, data: { url } } });

  it("leads to the tab that shows the page", async () => {
    const { deliver, done } = startServiceWorker([tab("/dashboard"), tab("/dashboard/messages/1")]);
    await deliver("notificationclick", click("/dashboard/messages/1"));
    expect(done).toEqual([`focuses ${ORIGIN}/dashboard/messages/1`]);
  });

  it("opens a tab if none shows the page, so that no tab loses what it holds", async () => {
    const { deliver, done } = startServiceWorker([tab("/dashboard/messages/2", { focused: true })]);
    await deliver("notificationclick", click("/dashboard/messages/1"));
    expect(done).toEqual([`opens ${ORIGIN}/dashboard/messages/1`]);
  });

  it("prefers the same query, then the focused tab, then one in view", () => {
    const { chooseTab } = startServiceWorker();
    const href = `${ORIGIN}/lfg/1?a`;
    const plain = tab("/lfg/1");
    const seen = tab("/lfg/1", { visibilityState: "visible" });
    const focused = tab("/lfg/1", { focused: true });
    const same = tab("/lfg/1?a");
    const other = tab("/lfg/12?a", { focused: true, visibilityState: "visible" });
    expect(chooseTab([other, plain, seen, focused, same], href)).toBe(same);
    expect(chooseTab([other, plain, seen, focused], href)).toBe(focused);
    expect(chooseTab([other, plain, seen], href)).toBe(seen);
    expect(chooseTab([other], href)).toBeUndefined();
  });
});

describe("A push", () => {
  it("that can't be read still shows that there is news, as browsers demand", async () => {
    for (const data of [null, { json: () => JSON.parse("{") }]) {
      const { deliver, done } = startServiceWorker();
      await deliver("push", { data });
      expect(done).toEqual(["shows You have news, news, /dashboard/notifications"]);
    }
  });

  it("puts the number of unread news on the app's icon", async () => {
    const { deliver, done } = startServiceWorker();
    const push = { tag: "post:1", title: "Ann replied", url: "/lfg/1", open: ["post:1"], unread: 3 };
    await deliver("push", { data: { json: () => push } });
    expect(done).toEqual(["shows Ann replied, post:1, /lfg/1", "badge 3"]);
  });
});

describe("A push that was read elsewhere", () => {
  const push = (tag: string, at: number, open: string[]) => ({
    data: { json: () => ({ tag, title: tag, url: "/", open, at }) },
  });

  it("is closed by the next push", async () => {
    const { deliver, shown } = startServiceWorker();
    await deliver("push", push("read", 1, ["read"]));
    await deliver("push", push("unread", 2, ["unread"]));
    expect(shown()).toEqual(["unread"]);
  });

  it("isn't mistaken for a newer push when an older one arrives late", async () => {
    const { deliver, shown } = startServiceWorker();
    await deliver("push", push("newer", 2, ["late", "newer"]));
    await deliver("push", push("late", 1, ["late"]));
    expect(shown()).toEqual(["newer", "late"]);
  });

  it("is closed when a page passes on its counts, and a newer one stays", async () => {
    const { deliver, shown, done } = startServiceWorker([], { open: [], at: 2, publicKey: null });
    const counts = { data: { type: "unread", messages: 0, notifications: 0 } };
    await deliver("message", counts);
    expect(done).toEqual(["no badge"]);
    await deliver("push", push("read", 1, ["read"]));
    await deliver("push", push("newer", 3, ["read", "newer"]));
    await deliver("message", counts);
    expect(shown()).toEqual(["newer"]);
  });
});

describe("A subscription that the browser has replaced or ended", () => {
  const site = { open: [], at: 1, publicKey: "the site's key" };
  const before = subscriptionAt("https://push.example/old");
  const sent = "sends /push endpoint=https://push.example/new&auth=secret";

  it("is renewed with the site's key, even if the browser doesn't say which one it was", async () => {
    const { deliver, done } = startServiceWorker([], site);
    await deliver("pushsubscriptionchange", {});
    expect(done).toEqual(["asks /push", "subscribes with the site's key", sent]);
  });

  it("is also replaced on the site", async () => {
    const { deliver, done } = startServiceWorker([], site);
    const newSubscription = subscriptionAt("https://push.example/new");
    await deliver("pushsubscriptionchange", { oldSubscription: before, newSubscription });
    expect(done).toEqual([`${sent}&replaces=https://push.example/old`]);
  });

  it("isn't renewed for a player who has signed out, or on a site without keys", async () => {
    for (const answer of [null, { ...site, publicKey: null }]) {
      const { deliver, done } = startServiceWorker([], answer);
      await deliver("pushsubscriptionchange", { oldSubscription: before });
      expect(done).toEqual(["asks /push"]);
    }
  });
});

it("The number on the app's icon follows the counts of an open page, and counts no message twice", async () => {
  const { deliver, done } = startServiceWorker();
  await deliver("message", { data: { type: "unread", messages: 2, notifications: 1 } });
  await deliver("message", { data: { type: "unread", messages: 0, notifications: 3 } });
  await deliver("message", { data: { type: "unread", messages: 0, notifications: 0 } });
  await deliver("message", { data: { type: "something else" } });
  expect(done).toEqual(["badge 2", "badge 3", "no badge"]);
});

it("The service worker answers navigations by GET and its own copies, and nothing else", async () => {
  const { deliver } = startServiceWorker();
  const request = (path: string, mode = "no-cors", method = "GET") => ({
    request: { url: ORIGIN + path, mode, method },
  });
  expect(await deliver("fetch", request("/dashboard", "navigate"))).toBe(true);
  expect(await deliver("fetch", request("/dashboard", "navigate", "POST"))).toBe(false);
  for (const path of ["/build/root.js", "/build/_assets/app.css", "/dashboard.data", "/avatars/1", "/push"])
    expect(await deliver("fetch", request(path)), path).toBe(false);
});

it("A changed service worker, or a changed script of its page, has a new version", () => {
  const version = Number(/^const VERSION = (\d+);$/m.exec(SOURCE)?.[1]);
  const hash = createHash("sha256").update(SOURCE).update(read("offline/page.js")).digest("hex").slice(0, 16);
  const how = "Raise VERSION in public/sw.js if it is the released one, then enter it here with the new hash.";
  expect({ version, hash }, how).toEqual({ version: 4, hash: "01d214302126722c" });
});
