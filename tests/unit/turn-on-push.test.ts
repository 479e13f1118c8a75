import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { turnOnPush } from "../../app/features/notifications/push/turn-on.client";

const FAILED = "Push couldn't be turned on. Check your connection, then try again.";

/** The browser's installation of the service worker, which has just begun. */
let registration: { installing: Worker | null; waiting: null; active: Worker | null; pushManager: object };

class Worker extends EventTarget {
  state = "installing";
  /** Moves on to the next state, as the browser does. */
  become(state: string) {
    this.state = state;
    registration.installing = null;
    if (state === "activating") {
      registration.active = this;
      makeReady(registration);
    }
    this.dispatchEvent(new Event("statechange"));
  }
}

let worker: Worker;
let makeReady: (ready: typeof registration) => void;

beforeEach(() => {
  worker = new Worker();
  const subscription = { toJSON: () => ({ endpoint: "https://push.example/1", keys: {} }) };
  const pushManager = { subscribe: async () => subscription };
  registration = { installing: worker, waiting: null, active: null, pushManager };
  // Like a browser's, `ready` never settles without a running service worker.
  const ready = new Promise((resolve) => {
    makeReady = resolve;
  });
  const serviceWorker = { register: async () => registration, ready };
  const Notification = { requestPermission: async () => "granted" };
  vi.stubGlobal("navigator", { serviceWorker });
  vi.stubGlobal("window", { PushManager: {}, Notification });
  vi.stubGlobal("Notification", Notification);
  vi.stubGlobal("fetch", async () => Response.json({ ok: true }));
});

afterEach(() => void vi.unstubAllGlobals());

test("Push is on once the service worker runs", async () => {
  const result = turnOnPush("key");
  await new Promise(setImmediate);
  worker.become("installed");
  worker.become("activating");
  expect(await result).toBeNull();
});

test("Push is turned on immediately if the service worker is already running", async () => {
  worker.become("activating");
  expect(await turnOnPush("key")).toBeNull();
});

test("A service worker that can't be installed is reported, whether that shows immediately or later", async () => {
  const result = turnOnPush("key");
  await new Promise(setImmediate);
  worker.become("redundant");
  expect(await result).toBe(FAILED);
  expect(await turnOnPush("key")).toBe(FAILED);
});
