import { useEffect, useRef, useState } from "react";
import { CLOSE, HEARTBEAT, PING, PONG } from "#party/wire/frames";
import { checkConnection } from "../network";
import type { ReconnectingSocket } from "./reconnecting-socket.client";

/**
 * The state of the connection to a room: `connecting` during an attempt, `closed` between two attempts (specification,
 * section 4; its `closing` is never visible, because a connection is dropped immediately).
 */
export type ConnectionState = "connecting" | "open" | "closed";

/**
 * The longest time that a room may take to answer a heartbeat, in milliseconds. An attempt to connect may take as long.
 */
const MAX_SILENCE = 10_000;

/**
 * Pages catch up within this time after a reconnection, in milliseconds. After a deploy all of them reconnect in the
 * same second, so each waits for a random part of it.
 */
const SPREAD = 4_000;

/** Reconnects after 1, about 2, about 5, then every 10 s; an attempt may take 10 s (specification, section 9). */
const TIMING = {
  minReconnectionDelay: 1_000,
  maxReconnectionDelay: 10_000,
  reconnectionDelayGrowFactor: 2.24,
  connectionTimeout: 10_000,
  // Frames queued while disconnected would be stale once connected.
  maxEnqueuedMessages: 0,
};

interface RoomHandlers {
  /** When the page's data was read, in milliseconds since 1970: the room repeats the news since then. */
  since?: number;
  /** Receives each frame except heartbeats. */
  onFrame: (frame: string) => void;
  /**
   * Called up to `SPREAD` after the room has opened again, following a lost connection or a failed attempt: the page
   * may have missed messages.
   */
  onReopen?: () => void;
  /** The session has ended. If the page stays, the room opens again for the player who is signed in by then. */
  onEnd?: () => void;
}

/**
 * Keeps a socket to a room open for as long as the component is mounted, and reconnects when it is lost.
 * @param path the room's address, such as `/parties/inbox`
 * @param handlers need not be stable: the latest are used
 * @returns the connection's state, and a function that sends a frame (dropped while disconnected)
 */
export function useRoom(path: string, handlers: RoomHandlers) {
  const [state, setState] = useState<ConnectionState>("connecting");
  const socket = useRef<ReconnectingSocket>();
  const latest = useRef(handlers);
  latest.current = handlers;

  useEffect(() => {
    let isMounted = true;
    /** Whether the room is closed for good; undefined until a connection is lost, or an attempt fails. */
    let ended: boolean | undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    let silence: ReturnType<typeof setTimeout> | undefined;
    let reopening: ReturnType<typeof setTimeout> | undefined;
    let heardAt = 0;
    setState("connecting");
    /** Sends a heartbeat, and replaces the connection if nothing comes back in time. */
    const beat = (room: ReconnectingSocket) => {
      const beganAt = performance.now();
      room.send(PING);
      clearTimeout(silence);
      silence = setTimeout(() => {
        if (room.readyState === room.OPEN && heardAt < beganAt) room.reconnect();
      }, MAX_SILENCE);
    };
    let connect = () => {};
    // Loaded only when there is a room to connect to, so that other pages don't download it.
    import("./reconnecting-socket.client").then(
      ({ ReconnectingSocket }) => {
        if (!isMounted) return;
        const address = `${location.origin.replace(/^http/, "ws")}${path}`;
        connect = () => {
          // Called for the URL at the start of each attempt, even by a socket that has been replaced.
          const begin = () => {
            if (socket.current === room) setState("connecting");
            const { since } = latest.current;
            return since ? `${address}?since=${since}` : address;
          };
          const room = new ReconnectingSocket(begin, [], TIMING);
          socket.current = room;
          room.addEventListener("open", () => {
            // Send something immediately: workerd would otherwise keep the connection open after the room closes it.
            beat(room);
            setState("open");
            clearTimeout(reopening);
            if (ended === false) reopening = setTimeout(() => latest.current.onReopen?.(), Math.random() * SPREAD);
          });
          room.addEventListener("message", ({ data }) => {
            heardAt = performance.now();
            if (typeof data === "string" && data !== PONG) latest.current.onFrame(data);
          });
          room.addEventListener("close", ({ code }) => {
            if (!isMounted) return;
            // This code has two causes, and reconnecting helps neither. If a frame broke the rules, the room would
            // close the next socket as well. If too many tabs are open, it would close another tab's socket instead.
            ended = code === CLOSE.policy;
            setState("closed");
            if (ended) room.close();
            // The next attempt is made with the browser's new session, if someone has signed in again in another tab.
            else if (code === CLOSE.sessionEnded) latest.current.onEnd?.();
            // Either the room or the whole site may be unreachable.
            else void checkConnection();
          });
        };
        connect();
        timer = setInterval(() => {
          const room = socket.current;
          if (room && room.readyState === room.OPEN) beat(room);
        }, HEARTBEAT);
      },
      // The import fails offline or after a new deployment. The page works without the room.
      () => setState("closed"),
    );
    // When the device wakes up, its connection may have died silently, or the socket may be waiting to try again.
    const wake = () => {
      const room = socket.current;
      if (!room || ended || document.hidden) return;
      if (room.readyState === room.OPEN) beat(room);
      else if (room.readyState === room.CLOSED) {
        // Replaced, because a socket that waits can't be hurried.
        room.close();
        connect();
      }
    };
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", wake);
    return () => {
      isMounted = false;
      clearInterval(timer);
      clearTimeout(silence);
      clearTimeout(reopening);
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
