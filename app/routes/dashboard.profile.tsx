import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { DashboardPage } from "~/features/dashboard/dashboard-page";
import { findProfile } from "~/features/players/queries.server";
import { verifiedMark } from "~/features/riot/rules";
import { resolveNewsLater } from "~/platform/notify.server";
import { privatePage } from "~/platform/page-meta";
import { claimedUserId, requireViewer } from "~/platform/session.server";
import { showMoment } from "~/platform/time";
import { VerifiedMark } from "~/ui/badge";
import { EmptyState } from "~/ui/empty-state";
import { RelativeTime } from "~/ui/relative-time";

export const meta: MetaFunction = () => privatePage("Profile");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await claimedUserId(context, request);
  const [, profile] = await Promise.all([requireViewer(context, request), findProfile(context.db, userId)]);
  if (!context.isPrefetch) resolveNewsLater(context, userId, `riot:${userId}`);
  const syncedAt = profile?.lastRankSync ?? profile?.riotVerifiedAt;
  return {
    riotId: profile?.riotVerifiedAt ? profile.riotId : null,
    synced: profile?.riotVerifiedAt && syncedAt ? showMoment(syncedAt, context.now, context.timeZone) : null,
    verified: verifiedMark({ verified: profile?.riotVerifiedAt != null, riotProven: profile?.riotProvenAt != null }),
    hasSync: profile?.lastRankSync != null,
  };
}

export default function ProfileTab() {
  const { riotId, verified, synced, hasSync } = useLoaderData<typeof loader>();
  return (
    <DashboardPage title="Profile">
      <div className="grid max-w-[760px] gap-10">
        <section aria-labelledby="account-verification">
          <h2 id="account-verification" className="border-t border-line pt-4 font-display text-section">
            Account Verification
          </h2>
          {riotId && synced && verified ? (
            <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="font-semibold wrap-anywhere">{riotId}</span>
              <VerifiedMark {...verified} />
              <span className="text-meta text-muted">
                {hasSync ? "Last sync" : "Verified"}{" "}
                <RelativeTime iso={synced.iso} ago={synced.ago} title={synced.exact} />
              </span>
            </div>
          ) : (
            <p className="mt-3 text-muted">
              No Riot account is linked to this profile: it may belong to another player here.
            </p>
          )}
        </section>
        <section aria-labelledby="feedback">
          <h2 id="feedback" className="border-t border-line pt-4 font-display text-section">
            Feedback
          </h2>
          <EmptyState title="No feedback received yet." />
        </section>
      </div>
    </DashboardPage>
  );
}
