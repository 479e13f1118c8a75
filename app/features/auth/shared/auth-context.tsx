import { useRevalidator } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { AUTH_EVENT_COOKIE, type AuthEvent } from "~/platform/session/auth-events";
import { useQuietReload } from "~/ui/hooks/use-quiet-reload";
import { createSessionEvents, readAuthEvents } from "../sessions/session-events";

/** The signed-in player, with the data that the browser may have. */
interface AuthUser {
  id: string;
  /** The part of the email before the @. */
  name: string;
  emailConfirmed: boolean;
  verified: boolean;
}

interface Auth {
  user: AuthUser | null;
  /** Whether the page's data is being loaded again, for example after a sign-in or sign-out in another tab. */
  loading: boolean;
  /**
   * Calls back with `INITIAL_SESSION`, then with each event of the session, in this tab or another (specification,
   * section 4). @returns a function that unsubscribes
   */
  onAuthStateChange(callback: (event: AuthEvent, user: AuthUser | null) => void): () => void;
}

const AuthContext = createContext<Auth | null>(null);

/**
 * Provides the signed-in player, and keeps the tabs of one browser in sync: each tab sends the others its session
 * events and its player, and a tab that receives an event or a different player reloads its data. Makes up for any
 * reload that the player interrupts.
 * @param session the root loader's value; a new object means that the data has been loaded again
 */
export function AuthProvider({ session, children }: { session: { user: AuthUser | null }; children: ReactNode }) {
  const { user } = session;
  const { state } = useRevalidator();
  const [events] = useState(() => createSessionEvents(user));
  const tabs = useRef<BroadcastChannel>();
  const userId = user?.id ?? "";
  /** The last request for a reload, and the player whom another tab has named ("" if signed out there). */
  const [asked, setAsked] = useState({ userId });
  // Urgent if someone else is signed in by now, or nobody is: they mustn't see what the player was typing. Such a
  // reload marks none of the player's messages as read.
  const isQuiet = useQuietReload(asked, user !== null && asked.userId !== userId);

  useEffect(() => {
    const channel = new BroadcastChannel("session");
    channel.onmessage = ({ data }) => {
      if (events.receive(data)) setAsked(data);
    };
    tabs.current = channel;
    return () => channel.close();
  }, [events]);

  /** The data before the last reload. */
  const before = useRef<typeof session>();
  // Opening a dialog or sending a form aborts a reload, and if the form is refused, the page isn't loaded either.
  useEffect(() => {
    if (state === "loading") before.current = session;
    else if (isQuiet && before.current === session) setAsked({ userId });
  }, [state, session, isQuiet, userId]);

  useEffect(() => {
    const own = readAuthEvents(document.cookie);
    // biome-ignore lint/suspicious/noDocumentCookie: a page that is about to go away can't wait for the Cookie Store
    if (own.length > 0) document.cookie = `${AUTH_EVENT_COOKIE}=; Path=/; Max-Age=0`;
    tabs.current?.postMessage(events.loaded(session.user, own));
  }, [events, session]);

  const auth = useMemo(
    () => ({ user, loading: state === "loading", onAuthStateChange: events.subscribe }),
    [user, state, events],
  );
  return <AuthContext.Provider value={auth}>{children}</AuthContext.Provider>;
}

/**
 * Returns the signed-in player, if any, and the events of their session.
 * @throws Error outside an `AuthProvider`
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
