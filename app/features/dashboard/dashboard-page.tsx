import type { ReactNode } from "react";
import { useAuth } from "~/features/auth/auth-context";

/**
 * A page of the dashboard other than LFG: the small line of welcome, the title (beside it `action`, if there is one), and
 * what the page holds. With an `aside` beside all of it (below it on small screens) the page is a long one, whose
 * `action` stays in view.
 */
export function DashboardPage({
  title,
  action,
  aside,
  children,
}: {
  title: string;
  action?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { user } = useAuth();
  return (
    <main className={`measure w-full flex-1 pb-14 ${aside ? "page-with-aside" : ""}`}>
      <div className="page-main">
        <div className="page-head flex flex-wrap items-end justify-between gap-x-4 gap-y-3 pt-7 pb-5">
          <div className="min-w-0">
            {user && <p className="text-meta wrap-anywhere text-muted">Welcome back, {user.name}</p>}
            <h1 className="font-display text-title-phone md:text-title">{title}</h1>
          </div>
          {action}
        </div>
        {children}
      </div>
      {aside && <aside className="page-aside">{aside}</aside>}
    </main>
  );
}
