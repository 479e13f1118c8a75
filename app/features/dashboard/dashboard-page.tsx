import type { ReactNode } from "react";
import { useAuth } from "~/features/auth/shared/auth-context";

/**
 * A dashboard page other than LFG: the small welcome line, the title (with `action` beside it, if there is one), and
 * the content. An `aside` is shown beside all of this, or below it on small screens, where only its `lead` comes before
 * the content. On a page with an `aside`, the `action` stays in view.
 */
export function DashboardPage({
  title,
  action,
  lead,
  aside,
  children,
}: {
  title: string;
  action?: ReactNode;
  lead?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main id="content" className={`measure w-full flex-1 pb-14 ${aside ? "page-with-aside" : ""}`}>
      <div className="page-main">
        <PageHead title={title} action={action} />
        {lead && <div className="page-lead">{lead}</div>}
        <div className="min-w-0">{children}</div>
      </div>
      {aside && <aside className="page-aside">{aside}</aside>}
    </main>
  );
}

/** The head of a dashboard page. Use it directly on a page with a different layout. */
export function PageHead({ title, action }: { title: string; action?: ReactNode }) {
  const { user } = useAuth();
  return (
    <div className="page-head flex flex-wrap items-end justify-between gap-x-4 gap-y-3 pt-7 pb-5">
      <div className="min-w-0">
        {user && <p className="text-meta wrap-anywhere text-muted">Welcome back, {user.name}</p>}
        <h1 className="font-display text-title-phone md:text-title">{title}</h1>
      </div>
      {action}
    </div>
  );
}
