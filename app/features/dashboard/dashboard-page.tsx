import type { ReactNode } from "react";
import { useAuth } from "~/features/auth/auth-context";

/**
 * A page of the dashboard other than LFG: the small line of welcome, the title (beside it `action`, if there is one), and
 * what the page holds.
 */
export function DashboardPage({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const { user } = useAuth();
  return (
    <main className="measure w-full flex-1 pb-14">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3 pt-7 pb-5">
        <div className="min-w-0">
          {user && <p className="text-meta wrap-anywhere text-muted">Welcome back, {user.name}</p>}
          <h1 className="font-display text-title-phone md:text-title">{title}</h1>
        </div>
        {action}
      </div>
      {children}
    </main>
  );
}
