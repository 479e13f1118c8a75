import { useNavigation, useRevalidator } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";
import { AUTH_EVENT_COOKIE, type AuthEvent } from "~/platform/session/auth-events";
import { createSessionEvents, readAuthEvents } from "../sessions/session-events";

/** The signed-in player as the browser may know them. */
interface AuthUser {
  id: string;
  /** The part of the e-mail before the @. */
  name: string;
  emailConfirmed: boolean;
  verified: boolean;
}

interface Auth {
  user: AuthUser | null;
  /** True until it is known who is signed in: while another tab's sign-in or sign-out is being looked up. */
  loading: boolean;
  /**
   * Calls back with `INITIAL_SESSION`, then with what happens to the session, in this tab or in another (specification,
   * section 4). @returns what ends that
   */
  onAuthStateChange(callback: (event: AuthEvent, user: AuthUser | null) => void): () => void;
}

const AuthContext = createContext<Auth | null>(null);

/**
 * Tells everything inside who is signed in, and keeps the tabs of one browser of one mind: each tells the others what
 * it has learnt, and one that hears news loads its page again.
 * @param session as the root's loader answered it: the same object until it answers again
 */
export function AuthProvider({ session, children }: { session: { user: AuthUser | null }; children: ReactNode }) {
  const { user } = session;
  const { revalidate, state } = useRevalidator();
  const [events] = useState(() => createSessionEvents(user));
  const tabs = useRef<BroadcastChannel>();
  const [stale, setStale] = useState(false);
  const idle = useNavigation().state === "idle" && state === "idle";

  useEffect(() => {
    const channel = new BroadcastChannel("session");
    channel.onmessage = ({ data }) => {
      if (events.hear(data)) setStale(true);
    };
    tabs.current = channel;
    return () => channel.close();
  }, [events]);

  // Not over another load, which it would cut off.
  useEffect(() => {
    if (!stale || !idle) return;
    setStale(false);
    revalidate();
  }, [stale, idle, revalidate]);

  useEffect(() => {
    const own = readAuthEvents(document.cookie);
    // biome-ignore lint/suspicious/noDocumentCookie: a page that is about to go away can't wait for the Cookie Store
    if (own.length > 0) document.cookie = `${AUTH_EVENT_COOKIE}=; path=/; max-age=0`;
    tabs.current?.postMessage(events.loaded(session.user, own));
  }, [events, session]);

  const auth = useMemo(
    () => ({ user, loading: state === "loading", onAuthStateChange: events.subscribe }),
    [user, state, events],
  );
  return <AuthContext.Provider value={auth}>{children}</AuthContext.Provider>;
}

/**
 * Who is signed in.
 * @throws Error outside of an `AuthProvider`
 */
export function useAuth(): Auth {
  const auth = useContext(AuthContext);
  if (!auth) throw new Error("useAuth must be used within an AuthProvider");
  return auth;
}
