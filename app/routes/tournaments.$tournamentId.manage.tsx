import { parseWithZod } from "@conform-to/zod/v4";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type ClientActionFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { displayName } from "~/features/players/rules";
import { listEvents } from "~/features/tournaments/hosting/log.server";
import { Organise } from "~/features/tournaments/hosting/organise";
import {
  addOrganiser,
  findNamedPlayer,
  listOffered,
  listOrganisers,
  officeSubject,
  removeOrganiser,
} from "~/features/tournaments/hosting/organisers.server";
import { organiserSchema } from "~/features/tournaments/hosting/schema";
import { tellMatchChats } from "~/features/tournaments/match-chats.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { presentLog } from "~/features/tournaments/present.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { tellTournament } from "~/features/tournaments/tell-tournament.server";
import { useTournament } from "~/features/tournaments/use-tournament";
import { type FormReply, orOffline } from "~/platform/forms/forms";
import { orDatabaseAway, refuseForm, SIGNED_OUT } from "~/platform/forms/forms.server";
import { countUse, tooManyTries } from "~/platform/limits/rate-limit.server";
import { cursorParams, linksOf, parseCursor } from "~/platform/lists/keyset";
import { leadToFirstPage } from "~/platform/lists/keyset.server";
import { redirectWithToast } from "~/platform/pages/toast.server";
import { notFound } from "~/platform/request/not-found.server";
import { claimedUserId, requireViewer } from "~/platform/session/session.server";
import "~/shell";

const FAILED = "Error";

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const { db } = context;
  const cursor = parseCursor(new URL(request.url).searchParams, { isKeyed: false });
  const userId = await claimedUserId(context, request);
  const [viewer, tournament, organisers, offered, log, clock] = await Promise.all([
    requireViewer(context, request),
    findTournament(db, id, userId),
    listOrganisers(db, id),
    listOffered(db, id, userId),
    listEvents(db, id, cursor),
    context.clock(),
  ]);
  if (!tournament?.viewer.isOrganiser) notFound(context, request);
  const list = `/tournaments/${id}/manage`;
  leadToFirstPage(request, { cursor, page: log, list, first: `${list}#log` });
  if (!context.isPrefetch) resolveNewsLater(context, viewer.id, officeSubject(id));
  const { isInCharge } = tournament.viewer;
  return {
    viewerId: viewer.id,
    isInCharge,
    organisers: organisers.map((player) => ({ id: player.userId, name: displayName(player) })),
    offered: isInCharge ? offered.map((player) => ({ id: player.userId, name: displayName(player) })) : [],
    pages: linksOf(log, (place) => `${list}?${new URLSearchParams(cursorParams(place))}#log`),
    log: presentLog(log.items, clock),
  };
}

/** Adds and removes organisers. */
export async function action({ params, request, context }: ActionFunctionArgs) {
  const id = tournamentIdOf(params, context, request);
  const submission = parseWithZod(await request.formData(), { schema: organiserSchema });
  return orDatabaseAway(context, submission, FAILED, async () => {
    const { db, now, claim } = context;
    const sent = submission.status === "success" ? submission.value : null;
    const [viewer, limit, tournament, player] = await Promise.all([
      context.viewer(),
      claim ? countUse(context, "tournamentChange", claim.userId) : null,
      findTournament(db, id, claim?.userId),
      claim && sent ? findNamedPlayer(db, sent, claim.userId) : undefined,
    ]);
    if (!viewer) return refuseForm(context, submission, FAILED, SIGNED_OUT);
    if (!tournament?.viewer.isOrganiser) return notFound(context, request);
    if (!sent) return refuseForm(context, submission, FAILED);
    if (limit && !limit.allowed) return refuseForm(context, submission, FAILED, tooManyTries(limit.retryAfter));
    const isLeaving = sent.intent === "remove" && sent.playerId === viewer.id;
    if (!tournament.viewer.isInCharge && !isLeaving) return notFound(context, request);
    if (!player) {
      const error = "Nobody here has this Riot ID. Type it as it is in their profile, with the # and the tag.";
      return refuseForm(context, submission, FAILED, { status: 409, field: "riotId", error });
    }
    const deed = { tournamentId: id, userId: viewer.id, now };
    const isAdding = sent.intent === "add";
    if (isAdding) {
      const told = await addOrganiser(db, player, deed);
      if (!told) {
        const error = `${displayName(player)} runs this tournament already, or ten others do.`;
        return refuseForm(context, submission, FAILED, { status: 409, field: "riotId", error });
      }
      tellUnread(context, ...told);
    } else {
      const chats = await removeOrganiser(db, player, deed);
      if (!chats && isLeaving) {
        const error = "You are the last who runs this tournament. Name another organiser first, or cancel it.";
        return refuseForm(context, submission, FAILED, { status: 409, error });
      }
      if (chats) tellMatchChats(context, chats);
      // What the chats had left unread is gone with them.
      tellUnread(context, player.userId);
    }
    tellTournament(context, id);
    return redirectWithToast(context, isLeaving ? `/tournaments/${id}` : `/tournaments/${id}/manage`, {
      kind: "success",
      title: isAdding ? "Organiser added" : "Organiser removed",
      description: displayName(player),
    });
  });
}

/** Offline the form stays, with what was typed. */
export const clientAction = ({ request, serverAction }: ClientActionFunctionArgs) =>
  orOffline(request, serverAction, FAILED);

export default function OrganiseTab() {
  const page = useLoaderData<typeof loader>();
  const { tournament } = useTournament();
  return <Organise tournament={tournament} {...page} reply={useActionData<FormReply>()} />;
}
