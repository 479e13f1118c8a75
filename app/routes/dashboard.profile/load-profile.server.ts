import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { presentFeedback } from "~/features/feedback/present.server";
import { countRatings, listReviews } from "~/features/feedback/queries.server";
import { REVIEW_LIST } from "~/features/feedback/rules";
import { findProvider } from "~/features/identities/providers.server";
import { LINKED_ACCOUNTS } from "~/features/identities/rules";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { listTimeZones, profileValues, profileVersion } from "~/features/players/profile/profile-values";
import { findProfile } from "~/features/players/queries.server";
import { displayName, initial } from "~/features/players/rules";
import { isPlayerHidden } from "~/features/players/shared/hide-player.server";
import { findHeldSignupAccount } from "~/features/riot/queries.server";
import { verifiedMark } from "~/features/riot/rules";
import { VERIFICATION_REGION_LABELS } from "~/game/regions";
import { showMoment } from "~/platform/dates/time";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { readSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const { cursor } = readSearch(REVIEW_LIST, new URL(request.url).searchParams);
  const [, news, profile, held, isHidden, page, ratings, clock] = await Promise.all([
    requireViewer(context, request),
    findUnreadNews(context.db, userId, subjectOf("riot", userId), subjectOf("feedback", userId)),
    findProfile(context.db, userId),
    findHeldSignupAccount(context.db, userId),
    isPlayerHidden(context.db, userId),
    listReviews(context.db, userId, cursor),
    countRatings(context.db, userId),
    context.clock(),
  ]);
  redirectToFirstPage(request, { cursor, page, first: "/dashboard/profile#feedback" });
  resolveNewsLater(context, userId, news);
  const { riotId = null, riotGameName = null, riotTagLine = null, riotVerifiedAt, lastRankSync } = profile ?? {};
  const name = displayName({ userId, riotGameName, riotId });
  const values = profileValues(profile, context.zones.browser);
  return {
    isHidden,
    values,
    version: profileVersion(profile),
    timeZones: listTimeZones(values.timeZone),
    hour12: clock.hour12,
    account: riotVerifiedAt
      ? {
          riotId: riotId ?? name,
          region: profile?.riotRegion ? VERIFICATION_REGION_LABELS[profile.riotRegion] : null,
          mark: verifiedMark({ verified: true, riotProven: profile?.riotProvenAt != null }),
          at: showMoment(lastRankSync ?? riotVerifiedAt, clock),
          hasSync: lastRankSync != null,
        }
      : null,
    held: held ? { riotId: held.riotId, signOn: findProvider(context.env, "riot") ? LINKED_ACCOUNTS : null } : null,
    typed: { gameName: riotGameName ?? "", tagLine: riotTagLine ?? "", region: profile?.riotRegion ?? "americas" },
    card: {
      name,
      letter: initial(name),
      picture: profile?.avatarId ?? null,
      riotId,
      rank: profile?.currentRank ?? null,
      role: profile?.preferredRole ?? null,
    },
    publicPage: `/players/${userId}`,
    takesPictures: context.env.AVATARS !== undefined,
    feedback: presentFeedback({ page, ratings }, profile, { playerId: userId, viewerId: userId }, clock),
  };
}
