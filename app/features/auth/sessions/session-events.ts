import { AUTH_EVENT_COOKIE, type AuthEvent } from "~/platform/session/auth-events";

/** What the tabs of one browser tell each other. */
export interface TabMessage {
  /** Who is signed in; empty where nobody is. */
  userId: string;
  events: AuthEvent[];
}

type Listener<User> = (event: AuthEvent, user: User | null) => void;

/** The events that `document.cookie` holds. Only we write there, so what has the form of a name is one. */
export function readAuthEvents(cookies: string): AuthEvent[] {
  const value = cookies.split(`${AUTH_EVENT_COOKIE}=`)[1]?.split(";")[0];
  return (value?.replace(/%2C/g, ",").match(/[A-Z_]{4,}/g) ?? []) as AuthEvent[];
}

/**
 * What one tab knows of its session, and who wants to hear of it. Who is signed in only a load of the page decides; what
 * others say is a reason to load it again, and is passed on after that.
 */
export function createSessionEvents<User extends { id: string }>(user: User | null) {
  const listeners = new Set<Listener<User>>();
  let current = user;
  let heard: AuthEvent[] = [];
  return {
    /** Calls a listener with `INITIAL_SESSION`, then with whatever happens. @returns what ends that */
    subscribe(listener: Listener<User>): () => void {
      listeners.add(listener);
      listener("INITIAL_SESSION", current);
      return () => {
        listeners.delete(listener);
      };
    },
    /** Takes what another tab says. @returns whether the page has to be loaded again */
    hear({ userId, events }: TabMessage): boolean {
      heard.push(...events);
      return events.length > 0 || userId !== (current?.id ?? "");
    },
    /**
     * Takes what a load has found.
     * @param own what has happened in this browser, and no tab has told yet
     * @returns what the other tabs have to hear
     */
    loaded(user: User | null, own: AuthEvent[]): TabMessage {
      const events = [...heard, ...own];
      heard = [];
      // The session has ended, or another has begun, without a word: on another device, or by running out.
      if (user?.id !== current?.id && !events.some((event) => event.startsWith("SIGNED"))) {
        events.push(user ? "SIGNED_IN" : "SIGNED_OUT");
      }
      current = user;
      for (const event of events) for (const listener of listeners) listener(event, user);
      return { userId: user?.id ?? "", events: own };
    },
  };
}
