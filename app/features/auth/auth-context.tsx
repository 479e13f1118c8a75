import { useRevalidator } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useEffect, useMemo } from "react";

/** The signed-in player as the browser may know them. */
export interface AuthUser {
  id: string;
  /** The part of the e-mail before the @. */
  name: string;
  emailConfirmed: boolean;
  verified: boolean;
}

export interface Auth {
  user: AuthUser | null;
  /** True until it is known who is signed in: while another tab's sign-in or sign-out is being looked up. */
  loading: boolean;
}

const AuthContext = createContext<Auth | null>(null);

const STORAGE_KEY = "lineup:user";

/** Tells everything inside who is signed in, and follows a sign-in or sign-out in another tab. */
export function AuthProvider({ user, children }: { user: AuthUser | null; children: ReactNode }) {
  const { revalidate, state } = useRevalidator();
  const userId = user?.id ?? "";

  // Storage events reach the other tabs only, and only when the value changes: just what is wanted here.
  useEffect(() => {
    try {
      localStorage.setItem(STORAGE_KEY, userId);
    } catch {
      // Storage is switched off: the other tabs find out with their next request.
    }
    const follow = (event: StorageEvent) => {
      if (event.key === STORAGE_KEY && event.newValue !== userId) revalidate();
    };
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }, [userId, revalidate]);

  const auth = useMemo(() => ({ user, loading: state === "loading" }), [user, state]);
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
