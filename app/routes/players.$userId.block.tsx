import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { answerBlockButton } from "~/features/blocks/actions.server";
import { BlockDialog } from "~/features/blocks/block-dialog";
import { findOtherPlayer } from "~/features/blocks/queries.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { ownPath } from "~/platform/request/origin";
import { idParam } from "~/platform/request/params.server";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  privatePage(data ? `${data.hasBlocked ? "Unblock" : "Block"} ${data.name}` : "Block");

/** The page that the dialog returns to: the one on which `Block` was clicked, or else the player's. */
const pageBelow = (request: Request, playerId: string): string =>
  ownPath(new URL(request.url).searchParams.get("returnTo")) ?? `/players/${playerId}`;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "userId", context, request);
  const userId = await requireClaimedUserId(context, request);
  const [, player] = await Promise.all([requireViewer(context, request), findOtherPlayer(context.db, id, userId)]);
  if (!player) notFound(context, request);
  return { name: player.name, hasBlocked: player.hasBlocked, closeTo: pageBelow(request, id) };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "userId", context, request);
  return answerBlockButton(args, {
    find: async (userId) => (await findOtherPlayer(context.db, id, userId)) ?? null,
    to: pageBelow(request, id),
  });
}

export default function BlockPlayer() {
  return <BlockDialog {...useLoaderData<typeof loader>()} />;
}
