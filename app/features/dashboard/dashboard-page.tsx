import type { ReactNode } from "react";
import { useAuth } from "~/features/auth/auth-context";

/** A page of the dashboard other than LFG: the small line of welcome, the title, and what the page holds. */
export function DashboardPage({ title, children }: { title: string; children: ReactNode }) {
  const { user } = useAuth();
  return (
    <main className="measure w-full flex-1 pb-14">
      <div className="pt-7 pb-5">
        {user && <p className="text-meta wrap-anywhere text-muted">Welcome back, {user.name}</p>}
        <h1 className="font-display text-title-phone md:text-title">{title}</h1>
      </div>
      {children}
    </main>
  );
}
