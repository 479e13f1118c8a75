import { useEffect, useRef, useState } from "react";
import { CLOSE, HEARTBEAT, PING, PONG } from "#party/wire/frames";
import { doubt } from "../network";
import type { ReconnectingSocket } from "./reconnecting-socket.client";

/**
 * Whether a room can be heard: `connecting` during a try, `closed` between two of them (specification, section 4; its
 * `closing` nobody could see: a connection that is given up is closed at once).
 */
export type ConnectionState = "connecting" | "open" | "closed";

/** How long a room may owe its sign of life, in milliseconds (specification, section 9). */
const PATIENCE = 10_000;

/** Reconnects after 1, about 2, about 5, then every 10 s; a try may take 10 s (specification, section 9). */
const TIMING = {
  minReconnectionDelay: 1_000,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2.24,
  connectionTimeout: 10_000,
  // What was said while nobody listened is stale by the time somebody does.
  maxEnqueuedMessages: 0,
};

interface RoomHandlers {
  /** Takes each frame but the heartbeat's. */
  onFrame: (frame: string) => void;
  /** The session has ended: the room won't open again. */
  onEnd?: () => void;
}

/**
 * Keeps a socket to a room open for as long as the component lives, through lost connections.
 * @param path the room's address, as `/parties/inbox`
 * @param handlers the latest are called, they need not be stable
 * @returns the connection's state, and what sends a frame (dropped while the room can't be heard)
 */
export function useRoom(path: string, handlers: RoomHandlers) {
  const [state, setState] = useState<ConnectionState>("connecting");
  const socket = useRef<ReconnectingSocket>();
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    let here = true;
    let ended = false;
    let timer: ReturnType<typeof setInterval> | undefined;
    let heardAt = 0;
    setState("connecting");
    // Fetched once there is a room to reach: pages without one don't pay for it.
    import("./reconnecting-socket.client").then(
      ({ ReconnectingSocket }) => {
        if (!here) return;
        const address = `${location.origin.replace(/^http/, "ws")}${path}`;
        // It asks for the address when a try begins.
        const begin = () => {
          setState("connecting");
          return address;
        };
        const room = new ReconnectingSocket(begin, [], TIMING);
        socket.current = room;
        room.addEventListener("open", () => {
          heardAt = Date.now();
          // workerd holds on to a connection that has never said anything when the room closes it.
          room.send(PING);
          setState("open");
        });
        room.addEventListener("message", ({ data }) => {
          heardAt = Date.now();
          if (typeof data === "string" && data !== PONG) latest.current.onFrame(data);
        });
        room.addEventListener("close", ({ code }) => {
          if (!here) return;
          ended = code === CLOSE.sessionEnded;
          setState("closed");
          if (!ended) {
            // The room alone may be away, or the whole site.
            void doubt();
            return;
          }
          room.close();
          latest.current.onEnd?.();
        });
        timer = setInterval(() => {
          if (room.readyState !== room.OPEN) return;
          if (Date.now() - heardAt > HEARTBEAT + PATIENCE) room.reconnect();
          else room.send(PING);
        }, HEARTBEAT);
      },
      // Offline, or a new deployment: the page works without the room.
      () => setState("closed"),
    );
    // A device that wakes up doesn't wait for the next try.
    const wake = () => {
      const room = socket.current;
      if (room && !ended && document.visibilityState === "visible" && room.readyState === room.CLOSED) room.reconnect();
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      here = false;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", wake);
      socket.current?.close();
      socket.current = undefined;
    };
  }, [path]);

  const send = useRef((frame: object) => {
    const room = socket.current;
    if (room && room.readyState === room.OPEN) room.send(JSON.stringify(frame));
  }).current;
  return { state, send };
}
