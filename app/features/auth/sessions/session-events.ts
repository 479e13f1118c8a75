import { AUTH_EVENT_COOKIE, type AuthEvent } from "~/platform/session/auth-events";

/** A message between the tabs of one browser. */
export interface TabMessage {
  /** The signed-in player; empty if there is none. */
  userId: string;
  events: AuthEvent[];
}

type Listener<User> = (event: AuthEvent, user: User | null) => void;

/**
 * Reads the events in `document.cookie`. Only the server writes that cookie, so any value that looks like an event name
 * is one.
 */
export function readAuthEvents(cookies: string): AuthEvent[] {
  const value = cookies.split(`${AUTH_EVENT_COOKIE}=`)[1]?.split(";")[0];
  return (value?.replace(/%2C/g, ",").match(/[A-Z_]{4,}/g) ?? []) as AuthEvent[];
}

/**
 * Tracks one tab's session and its listeners. Only data loaded from the server decides who is signed in. A message from
 * another tab makes this tab reload its data; the listeners get the message's events after that.
 */
export function createSessionEvents<User extends { id: string }>(user: User | null) {
  const listeners = new Set<Listener<User>>();
  let current = user;
  let pending: AuthEvent[] = [];
  return {
    /** Calls a listener with `INITIAL_SESSION`, then with each event. @returns a function that unsubscribes */
    subscribe(listener: Listener<User>): () => void {
      listeners.add(listener);
      listener("INITIAL_SESSION", current);
      return () => {
        listeners.delete(listener);
      };
    },
    /** Receives a message from another tab. @returns whether the page must reload its data */
    receive({ userId, events }: TabMessage): boolean {
      pending.push(...events);
      return events.length > 0 || userId !== (current?.id ?? "");
    },
    /**
     * Receives the result of a load.
     * @param own events that the server set in this browser's cookie and that no tab has announced yet
     * @returns the message for the other tabs
     */
    loaded(user: User | null, own: AuthEvent[]): TabMessage {
      const events = [...pending, ...own];
      pending = [];
      // The session has ended or changed without an event: it was ended on another device, or has expired.
      if (user?.id !== current?.id && !events.some((event) => event.startsWith("SIGNED"))) {
        events.push(user ? "SIGNED_IN" : "SIGNED_OUT");
      }
      current = user;
      for (const event of events) for (const listener of listeners) listener(event, user);
      return { userId: user?.id ?? "", events: own };
    },
  };
}
