import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { handleMessageForm } from "~/features/messages/actions.server";
import { parseThreadPlace } from "~/features/messages/list/cursor";
import { UnsentWordsAfterLeaving } from "~/features/messages/shared/unsent-words";
import { loadThread, markShownAsRead } from "~/features/messages/thread/load-thread.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { SHOW_EVIDENCE } from "~/features/tournaments/match/evidence";
import { MatchChat } from "~/features/tournaments/match/match-chat";
import { MatchHead } from "~/features/tournaments/match/match-head";
import { MatchLog } from "~/features/tournaments/match/match-log";
import { listMatchEvents } from "~/features/tournaments/match/match-log.server";
import { matchAddress } from "~/features/tournaments/match/match-page.server";
import { MatchPanel } from "~/features/tournaments/match/match-panel";
import { listMatchPlayers } from "~/features/tournaments/match/match-players.server";
import { MatchTrouble } from "~/features/tournaments/match/match-trouble";
import { OrganiserPanel } from "~/features/tournaments/match/organiser-panel";
import { leavingLinksIn, presentMatch } from "~/features/tournaments/match/present-match.server";
import { chatOf, findMatch } from "~/features/tournaments/match/queries.server";
import { ReportForm } from "~/features/tournaments/match/report-form";
import { HiddenTournament } from "~/features/tournaments/page/hidden-tournament";
import { LiveTournament } from "~/features/tournaments/page/use-tournament-room";
import { answerMatchButton, answerMatchForm } from "~/features/tournaments/play/actions.server";
import { type MatchButton, matchButtonSchema, reportSchema } from "~/features/tournaments/play/schema";
import { describeLength } from "~/game/scores";
import { zoneNote } from "~/platform/dates/time-zone";
import type { FormReply } from "~/platform/forms/forms";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import matchStyles from "~/styles/match.css";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: matchStyles }];

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { match } = data;
  const [one, two] = match.teams;
  return publicPage({
    title: `${match.name} · ${match.tournament.title}`,
    description: `${one.name} against ${two.name}, ${describeLength(match, match.left)}. ${match.phase}.`,
    path: `/tournaments/${match.tournament.id}/matches/${match.id}`,
    origin: originOf(matches),
    indexed: false,
  });
};

export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { tournamentId, matchId } = matchAddress(params, context, request);
  const { db, claim, now, isPrefetch } = context;
  const userId = claim?.userId;
  const subject = subjectOf("match", tournamentId, matchId);
  const chat = chatOf(tournamentId, matchId);
  const place = parseThreadPlace(request.url);
  const isNewest = place.before === null;
  const [viewer, news, match, players, events, thread, unread, clock] = await Promise.all([
    context.viewer(),
    userId ? findUnreadNews(db, userId, subject) : [],
    findMatch(db, tournamentId, matchId, userId ?? null),
    listMatchPlayers(db, { tournamentId, matchId }, userId ?? null),
    listMatchEvents(db, { tournamentId, matchId }, userId ?? null),
    userId ? loadThread(context, chat, userId, place) : null,
    userId ? countUnread(db, userId, isPrefetch ? null : { subject, ...(isNewest && { conversationId: chat }) }) : null,
    context.clock(),
  ]);
  if (!match || (match.tournament.isHidden && !viewer)) notFound(context, request);
  if (viewer && thread) markShownAsRead(context, thread);
  if (viewer) resolveNewsLater(context, viewer.id, news);
  const shown = presentMatch(
    match,
    players,
    events,
    viewer,
    clock,
    new URL(request.url).searchParams.has(SHOW_EVIDENCE),
  );
  return {
    match: shown,
    leaving: leavingLinksIn(context, shown),
    zone: zoneNote(clock),
    now: now.getTime(),
    thread: viewer && thread,
    ...presentFrame(viewer, unread),
  };
}

/** The toast that follows each button. */
const BUTTON_TOASTS: Record<MatchButton, { title: string; description?: string }> = {
  "check-in": { title: "Your team has checked in" },
  confirm: { title: "Score confirmed", description: "The match is decided. We've told both teams." },
  claim: { title: "The win is yours", description: "The match is decided. We've told both teams." },
  "join-chat": { title: "You're in the match chat" },
};

/** Handles the report, the page's buttons, and chat messages sent without JavaScript. */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const address = matchAddress(params, context, request);
  const { tournamentId, matchId, here } = address;
  const form = await request.formData();
  // Only chat messages carry an id.
  if (form.has("id")) return handleMessageForm(args, form, { conversation: chatOf(tournamentId, matchId), here });
  if (form.get("intent") === "report") {
    return answerMatchForm(args, address, {
      limit: "match",
      schema: reportSchema,
      form,
      command: (report) => ({ type: "report", match: matchId, ...report }),
      success: { title: "Score reported", description: "The other captain confirms it, or it counts by itself." },
      confirmed: BUTTON_TOASTS.confirm,
    });
  }
  const button = matchButtonSchema.safeParse({ type: form.get("intent"), expects: form.get("expects") });
  if (!button.success) notFound(context, request);
  return answerMatchButton(args, address, { ...button.data, match: matchId }, BUTTON_TOASTS[button.data.type]);
}

export { clientAction } from "~/platform/forms/forms";

export default function MatchPage() {
  const { match, leaving, zone, now, thread, viewer, unread } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const kept = reply?.result?.initialValue;
  const isReport = kept?.intent === "report";
  const isMessage = kept?.id !== undefined;
  // Forms show the toasts of their own replies.
  useReplyToast(isReport || isMessage ? undefined : reply);
  const here = `/tournaments/${match.tournament.id}/matches/${match.id}`;
  const { may } = match;
  const trouble = <MatchTrouble match={match} here={here} />;
  return (
    <PublicPage viewer={viewer} unread={unread} className="pt-6" dialog={<Outlet />}>
      <LiveTournament id={match.tournament.id} since={now} />
      <MatchHead match={match} zone={zone} />
      <div className="match-body">
        <div>
          {match.tournament.isHidden ? (
            <HiddenTournament className="" />
          ) : (
            <MatchPanel match={match} here={here} leaving={leaving} />
          )}
          {may.report ? (
            <ReportForm match={match} reply={isReport ? reply : undefined} isPrimary={match.phase !== "Check-in"}>
              {trouble}
            </ReportForm>
          ) : (
            <div className="flex empty:hidden">{trouble}</div>
          )}
          {match.isOrganiser && <OrganiserPanel match={match} here={here} />}
          <MatchLog log={match.log} leaving={leaving} />
        </div>
        {thread && (
          <MatchChat
            key={thread.viewerId + thread.head.id}
            page={thread}
            here={here}
            match={match}
            reply={isMessage ? reply : undefined}
          />
        )}
        <UnsentWordsAfterLeaving key={here} viewerId={viewer?.id} page={thread} reply={isMessage ? reply : undefined} />
      </div>
    </PublicPage>
  );
}
