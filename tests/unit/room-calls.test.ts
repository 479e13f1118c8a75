import { afterEach, beforeEach, expect, it, vi } from "vitest";

vi.mock("partyserver", () => ({
  /** A Durable Object's class without a platform around it. */
  Server: class {
    readonly name = "here";
    readonly connections: FakeSocket[] = [];
    constructor(
      readonly ctx: object,
      readonly env: object,
    ) {}
    getConnections(tag?: string) {
      return this.connections.filter(({ readyState, tags }) => readyState === 1 && (!tag || tags.includes(tag)));
    }
  },
}));

interface FakeSocket {
  state: object;
  tags: string[];
  readyState: number;
  closedWith?: number;
  setState(state: object): void;
  send(): void;
  close(code: number): void;
}

/** Calls between rooms in order, such as `conversation.closeSession(phone)`. Those listed in `failing` fail. */
let calls: string[];
let failing: Set<string>;
/** The sessions that the inbox in `env` knows to have ended. */
let ended: Set<string>;
let alarm: number | undefined;
let background: Promise<unknown>[];

/** A namespace of rooms with these methods, which get the room's name and the arguments of the call. */
const namespace = (methods: Record<string, (...parts: string[]) => unknown>) => ({
  getByName: (name: string) =>
    Object.fromEntries(
      Object.entries(methods).map(([method, run]) => [
        method,
        async (...parts: string[]) => {
          const call = `${name}.${method}(${parts.join(", ")})`;
          calls.push(call);
          if (failing.has(call)) throw new Error("The room could not be reached");
          return run(name, ...parts);
        },
      ]),
    ),
});

const done = () => undefined;
const env = () => ({
  LIBSQL_URL: "http://localhost:1",
  SESSION_SECRET: "x".repeat(64),
  ENCRYPTION_KEY: "y".repeat(64),
  CONVERSATION_ROOMS: namespace({ closeSession: done, tellPresence: () => false, forgetMember: done }),
  INBOX_ROOMS: namespace({
    enter: (_name, _conversation, session) => !ended.has(session as string),
    leave: done,
    watch: () => null,
    unwatch: done,
    hasEnded: (_name, session) => ended.has(session as string),
  }),
  POST_LIST_ROOMS: namespace({ closeSession: done }),
  TOURNAMENT_ROOMS: namespace({}),
});

function fakeState() {
  const stored = new Map<string, unknown>();
  return {
    waitUntil: (work: Promise<unknown>) => background.push(work),
    setWebSocketAutoResponse: done,
    getWebSocketAutoResponseTimestamp: () => null,
    storage: {
      kv: {
        get: (key: string) => stored.get(key),
        put: (key: string, value: unknown) => stored.set(key, value),
        delete: (key: string) => stored.delete(key),
        list: ({ prefix }: { prefix: string }) => [...stored].filter(([key]) => key.startsWith(prefix)),
      },
      setAlarm: async (at: number) => {
        alarm = at;
      },
      deleteAlarm: async () => {
        alarm = undefined;
      },
      deleteAll: async () => stored.clear(),
    },
  };
}

function fakeSocket(userId: string, sessionId: string): FakeSocket {
  return {
    state: { userId, sessionId, expiresAt: Number.POSITIVE_INFINITY, openedAt: 0, others: [], filters: {} },
    tags: [`user:${userId}`, `session:${sessionId}`],
    readyState: 1,
    setState(state) {
      this.state = state;
    },
    send: done,
    close(code) {
      this.closedWith = code;
      this.readyState = 3;
    },
  };
}

/** Starts a room of a class, with the given sockets. */
async function start<Name extends "Inbox" | "Conversation" | "PostList">(name: Name, ...sockets: FakeSocket[]) {
  const { Inbox } = await import("#party/inbox");
  const { Conversation } = await import("#party/conversation");
  const { PostList } = await import("#party/post-list");
  const rooms = { Inbox, Conversation, PostList };
  const room = new rooms[name](fakeState() as never, env() as never);
  (room as unknown as { connections: FakeSocket[] }).connections.push(...sockets);
  return room as InstanceType<(typeof rooms)[Name]> & { onEnter(socket: FakeSocket, handover: object): void };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(done);
  vi.spyOn(console, "warn").mockImplementation(done);
  vi.stubGlobal("WebSocketRequestResponsePair", class {});
  calls = [];
  failing = new Set();
  ended = new Set();
  alarm = undefined;
  background = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("An inbox makes all rooms close the sockets of ended sessions even if one fails, and retries that one", async () => {
  const inbox = await start("Inbox");
  for (const [conversation, session] of [
    ["broken", "phone"],
    ["chat", "phone"],
    ["chat", "laptop"],
    ["chat", "tablet"],
  ] as const) {
    await inbox.enter(conversation, session);
  }
  failing.add("broken.closeSession(phone)");
  await inbox.closeSessions(["phone", "laptop"]);
  expect(calls).toEqual(
    expect.arrayContaining(["broken.closeSession(phone)", "chat.closeSession(phone)", "chat.closeSession(laptop)"]),
  );
  calls = [];
  expect(alarm).toBeGreaterThan(Date.now());
  vi.setSystemTime(alarm as number);
  await inbox.onAlarm();
  expect(calls).toContain("broken.closeSession(phone)");
  failing.clear();
  calls = [];
  vi.setSystemTime(alarm as number);
  await inbox.onAlarm();
  expect(calls).toContain("broken.closeSession(phone)");
  expect(calls.filter((call) => /chat|tablet|laptop/.test(call))).toEqual([]);
  calls = [];
  vi.setSystemTime(Date.now() + 3_600_000);
  await inbox.onAlarm();
  expect(calls).toEqual([]);
});

it("An inbox whose player's account is erased closes all sockets, makes other rooms forget, and keeps nothing", async () => {
  const tab = fakeSocket("here", "phone");
  const inbox = await start("Inbox", tab);
  const { kv } = (inbox as unknown as { ctx: ReturnType<typeof fakeState> }).ctx.storage;
  kv.put("said", { state: "online", seenAt: 1 });
  await inbox.enter("team", "laptop");
  await inbox.watch("chat");
  failing.add("chat.forgetMember(here)");
  await expect(inbox.forget()).rejects.toThrow();
  expect(tab.closedWith).toBe(4401);
  expect(calls).toContain("team.closeSession(laptop)");
  failing.clear();
  await inbox.forget();
  expect(calls.at(-1)).toBe("chat.forgetMember(here)");
  expect([kv.list({ prefix: "" }), alarm]).toEqual([[], undefined]);
  // The browser confirms the close only later.
  inbox.onClose();
  vi.setSystemTime(alarm as unknown as number);
  const alarmDone = inbox.onAlarm();
  await vi.advanceTimersByTimeAsync(60_000);
  await alarmDone;
  expect(kv.list({ prefix: "" })).toEqual([]);
  await Promise.all(background);
});

it("A conversation retries a failed call to an inbox, and closes a socket whose session has ended", async () => {
  const [phone, laptop] = [fakeSocket("ann", "phone"), fakeSocket("ann", "laptop")];
  const conversation = await start("Conversation", phone, laptop);
  failing.add("ann.enter(here, phone)");
  conversation.onEnter(phone, { ...phone.state, lastSeq: 0 });
  await vi.advanceTimersByTimeAsync(0);
  expect(calls).toEqual(["ann.enter(here, phone)", "ann.enter(here, laptop)"]);
  failing.clear();
  ended.add("phone");
  calls = [];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(calls[0]).toBe("ann.enter(here, phone)");
  expect(phone.closedWith).toBe(4401);
  expect(laptop.closedWith).toBeUndefined();
  calls = [];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual([]);
  await Promise.all(background);
});

it("A post list closes a socket whose session can't be checked, so that its page reconnects", async () => {
  const [phone, laptop] = [fakeSocket("ann", "phone"), fakeSocket("ann", "laptop")];
  const list = await start("PostList", phone, laptop);
  failing.add("ann.hasEnded(phone)");
  for (const socket of [phone, laptop]) list.onEnter(socket, { ...socket.state, newer: [], shown: [] });
  await vi.advanceTimersByTimeAsync(0);
  expect([phone.closedWith, laptop.closedWith]).toEqual([1012, undefined]);
  await Promise.all(background);
});
