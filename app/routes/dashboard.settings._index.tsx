import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PROVIDER_NAMES } from "~/features/identities/rules";
import { Overview } from "~/features/settings/overview";
import { findSecurityOverview, listSecurityEvents } from "~/features/settings/queries.server";
import { describeEvent } from "~/features/settings/rules";
import { showMoment } from "~/platform/dates/time";
import { privatePage } from "~/platform/pages/page-meta";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Settings");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = await requireClaimedUserId(context, request);
  const [viewer, overview, events, clock] = await Promise.all([
    requireViewer(context, request),
    findSecurityOverview(context.db, userId, context.now),
    listSecurityEvents(context.db, userId),
    context.clock(),
  ]);
  const show = (moment: number) => showMoment(new Date(moment), clock);
  return {
    email: viewer.email,
    emailConfirmed: viewer.emailConfirmed,
    emailFailed: viewer.emailFailed,
    hasPassword: overview?.hasPassword ?? false,
    passwordChanged: overview?.passwordChangedAt ? show(overview.passwordChangedAt) : null,
    hasTwoFactor: overview?.hasTwoFactor ?? false,
    sessions: overview?.sessions ?? 0,
    identities: (overview?.identities ?? []).map(({ provider, name }) => ({
      provider: PROVIDER_NAMES[provider],
      name,
    })),
    events: events.map(({ id, actor, action, details, createdAt }) => ({
      id,
      words: describeEvent(action, details),
      byOperator: actor === "operator",
      time: show(createdAt),
    })),
  };
}

export default function SettingsIndex() {
  return <Overview {...useLoaderData<typeof loader>()} />;
}
