import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { HealthList } from "~/features/moderation/health/health-list";
import { presentHealth } from "~/features/moderation/health/present.server";
import { readHealth } from "~/features/moderation/health/queries.server";
import { requireAdmin, requireClaimedModeratorId } from "~/features/moderation/shared/require-moderator.server";
import { privatePage } from "~/platform/pages/page-meta";
import "~/shell";

export const meta: MetaFunction = () => privatePage("Health");

/** Shows admins the state of the site. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const userId = requireClaimedModeratorId(context, request);
  const [, health, clock] = await Promise.all([
    requireAdmin(context, request),
    readHealth(context, userId),
    context.clock(),
  ]);
  return { states: presentHealth(health, context.usage.duration, clock) };
}

export default function HealthPage() {
  const { states } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHead title="Health" />
      <HealthList states={states} />
    </>
  );
}
