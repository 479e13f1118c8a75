import type { Page, WebSocketRoute } from "@playwright/test";

/** Drops the frames of the conversation's room that match `pattern`, as if they were lost. */
export const loseFrames = (page: Page, pattern: RegExp) =>
  page.routeWebSocket(/\/parties\/conversation\//, (socket) => {
    const room = socket.connectToServer();
    room.onMessage((frame) => {
      if (!pattern.test(String(frame))) socket.send(frame);
    });
  });

/**
 * Holds back the messages that the page's room sends. Call it before the page opens its socket.
 * @returns a function that waits for a number of messages and delivers all at once, as to a tab that was busy
 */
export async function holdRoomMessages(page: Page): Promise<(count: number) => Promise<void>> {
  await page.addInitScript(() => {
    const held: (() => void)[] = [];
    class HoldingSocket extends WebSocket {
      constructor(url: string, protocols?: string[]) {
        super(url, protocols);
        this.addEventListener("message", (event) => {
          if (!event.isTrusted || !/"type":"message"/.test(event.data)) return;
          event.stopImmediatePropagation();
          held.push(() => this.dispatchEvent(new MessageEvent("message", { data: event.data })));
        });
      }
    }
    Object.assign(window, { held, WebSocket: HoldingSocket });
  });
  return async (count) => {
    type Tab = { held: (() => void)[] };
    await page.waitForFunction((expected) => (window as unknown as Tab).held.length >= expected, count);
    await page.evaluate(() => {
      for (const deliver of (window as unknown as Tab).held) deliver();
    });
  };
}

/** Lets a test cut a page's sockets whose URLs match. Call it before the page opens them. */
export async function cutConnections(page: Page, pattern: RegExp) {
  let isCut = false;
  let latest: WebSocketRoute | undefined;
  let report = () => {};
  const opened = new Promise<void>((resolve) => {
    report = resolve;
  });
  await page.routeWebSocket(pattern, (socket) => {
    if (isCut) return socket.close({ code: 1011 });
    latest = socket;
    const room = socket.connectToServer();
    room.onMessage((frame) => {
      socket.send(frame);
      report();
    });
  });
  return {
    /** Resolves once a room has sent the first frame. */
    opened,
    cut() {
      isCut = true;
      void latest?.close({ code: 1011 });
    },
    restore() {
      isCut = false;
    },
  };
}

/** Holds back a page's sockets to a room. @returns the frames of the room, and a function that opens the sockets */
export async function holdRoom(page: Page, room: RegExp): Promise<{ frames: string[]; open: () => void }> {
  let open: () => void = () => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const frames: string[] = [];
  await page.routeWebSocket(room, async (socket) => {
    await isOpen;
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      frames.push(String(frame));
      socket.send(frame);
    });
  });
  return { frames, open };
}
