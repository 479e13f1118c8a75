import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { displayName, type NamedPlayer } from "~/features/players/rules";
import { listEvents } from "~/features/tournaments/hosting/log.server";
import { ADD_LATER, Organise } from "~/features/tournaments/hosting/organise";
import {
  addOrganiser,
  findNamedPlayer,
  hasJustSteppedDown,
  listCoOrganisers,
  listOffered,
  removeOrganiser,
} from "~/features/tournaments/hosting/organisers.server";
import { organiserSchema } from "~/features/tournaments/hosting/schema";
import { tellMatchChats } from "~/features/tournaments/match/match-chats.server";
import { useTournament } from "~/features/tournaments/page/use-tournament";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { presentLog } from "~/features/tournaments/present.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { tellTournament } from "~/features/tournaments/shared/tell-tournament.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { linksOf } from "~/platform/lists/keyset";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { notFound } from "~/platform/request/not-found.server";
import { readSearch, type SearchParams, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

/** `reason` shows the reasons given by organisers whom the viewer has blocked. */
const LOG = { cursor: { kind: "cursor", by: "id" }, reason: { kind: "flag" } } satisfies SearchParams;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db, now } = context;
  const { cursor, reason } = readSearch(LOG, new URL(request.url).searchParams);
  const userId = await requireClaimedUserId(context, request);
  const [viewer, news, tournament, organisers, offered, log, clock] = await Promise.all([
    requireViewer(context, request),
    findUnreadNews(db, userId, subjectOf("tournament-organiser", id)),
    findTournament(db, id, userId),
    listCoOrganisers(db, id),
    listOffered(db, { tournamentId: id, userId, now }),
    listEvents(db, { tournamentId: id, viewerId: userId }, cursor),
    context.clock(),
  ]);
  if (!tournament?.viewer.isOrganiser) notFound(context, request);
  const list = `/tournaments/${id}/manage`;
  redirectToFirstPage(request, { cursor, page: log, first: `${list}#log` });
  resolveNewsLater(context, viewer.id, news);
  const { isInCharge } = tournament.viewer;
  return {
    viewerId: viewer.id,
    isInCharge,
    organisers: organisers.map(presentPlayer),
    offered: isInCharge && !tournament.hiddenAt ? offered.map(presentPlayer) : [],
    pages: linksOf(log, (place) => `${list}${writeSearch(LOG, { cursor: place, reason })}#log`),
    log: presentLog(log.items, clock, reason ? null : `${list}${writeSearch(LOG, { cursor, reason: true })}#log`),
  };
}

const presentPlayer = (player: NamedPlayer) => ({ id: player.userId, name: displayName(player) });

/** Adds and removes organisers. */
export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const { db, now } = context;
  const id = tournamentIdOf(params, context, request);
  return answerForm(args, {
    schema: organiserSchema,
    failed: "Error",
    limit: "tournamentChange",
    async alongside({ userId }, sent) {
      const isLeaving = sent?.intent === "remove" && sent.playerId === userId;
      const [tournament, player, isGone] = await Promise.all([
        findTournament(db, id, userId),
        sent ? findNamedPlayer(db, sent, userId) : undefined,
        // The button was pressed twice, or the first response was lost.
        isLeaving && hasJustSteppedDown(db, { tournamentId: id, userId, now }),
      ]);
      if (!tournament || !(tournament.viewer.isOrganiser || isGone)) return null;
      return { isInCharge: tournament.viewer.isInCharge, isHidden: tournament.hiddenAt !== null, player };
    },
    async run({ value, viewer, found: { isInCharge, isHidden, player } }) {
      const isLeaving = value.intent === "remove" && value.playerId === viewer.id;
      if (!isInCharge && !isLeaving) return "missing";
      if (!player) {
        const error = "Nobody here has this Riot ID. Enter it as it is in their profile, with the # and the tag.";
        return { status: 409, field: "riotId", error };
      }
      const stamp = { tournamentId: id, userId: viewer.id, now };
      const isAdding = value.intent === "add";
      if (isAdding) {
        if (!(await addOrganiser(db, player, stamp))) {
          const name = displayName(player);
          const error = isHidden
            ? `Moderators have hidden this tournament. ${ADD_LATER}`
            : `${name} is already an organiser or stepped down in the last 30 days, or there are ten organisers.`;
          return { status: 409, field: "riotId", error };
        }
        tellUnread(context, player.userId);
      } else {
        const chats = await removeOrganiser(db, player, stamp);
        if (!chats) {
          const last = isLeaving
            ? "You're the last organiser."
            : `${displayName(player)} is the only organiser whose account isn't suspended or being deleted.`;
          return { status: 409, error: `${last} Add another one first, or cancel the tournament.` };
        }
        tellMatchChats(context, chats);
        // The chats' unread messages no longer count, nor do the calls to act as an organiser.
        tellUnread(context, player.userId);
      }
      tellTournament(context, id);
      return {
        to: isLeaving ? `/tournaments/${id}` : `/tournaments/${id}/manage`,
        title: isAdding ? "Organiser added" : "Organiser removed",
        description: displayName(player),
      };
    },
  });
}

export { clientAction } from "~/platform/forms/forms";

export default function OrganiseTab() {
  const page = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  return <Organise tournament={tournament} {...page} reply={useReply<FormReply>()} />;
}
