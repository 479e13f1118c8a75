import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { Form, useLoaderData, useNavigation } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { presentFrame } from "~/features/dashboard/shared/frame.server";
import { countUnread } from "~/features/notifications/shared/unread.server";
import { tournamentIdOf } from "~/features/tournaments/params.server";
import { findTournament } from "~/features/tournaments/queries.server";
import { joinByLink } from "~/features/tournaments/registration/actions.server";
import { sayClosed } from "~/features/tournaments/registration/refusals";
import { sayLimits } from "~/features/tournaments/registration/rules";
import { findTeamByToken } from "~/features/tournaments/registration/team/queries.server";
import { Banners } from "~/features/tournaments/registration/your-team";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { Button, ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

export const meta: MetaFunction<typeof loader> = () => privatePage("Join a Team");

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const tournamentId = tournamentIdOf(params, context, request);
  const { db, claim } = context;
  const [viewer, tournament, team, unread] = await Promise.all([
    context.viewer(),
    findTournament(db, tournamentId, claim?.userId),
    findTeamByToken(db, tournamentId, params.token ?? "", claim?.userId),
    claim && countUnread(db, claim.userId),
  ]);
  if (!tournament || (tournament.hiddenAt && !viewer)) notFound(context, request);
  const own = viewer && tournament.viewer.team;
  const { title, state, teamSize, hiddenAt } = tournament;
  return {
    tournament: { id: tournamentId, title, teamSize, limits: sayLimits(tournament) },
    /** Null once the captain has created a new link. */
    team: team ?? null,
    /** Why nobody can join the team any more; null if players still can. */
    closed: team ? sayClosed({ state, teamSize, isHidden: hiddenAt !== null }, team.members.length) : null,
    ownTeamId: own?.id ?? null,
    ...presentFrame(viewer, unread),
  };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const tournamentId = tournamentIdOf(params, context, request);
  const token = params.token ?? "";
  return answerButton(args, {
    limit: "roster",
    alongside: async () => ({ team: await findTeamByToken(context.db, tournamentId, token) }),
    run: ({ viewer, found: { team } }) =>
      joinByLink(context, { tournamentId, teamId: team?.id, userId: viewer.id }, token),
  });
}

export default function JoinPage() {
  const { tournament, team, closed, ownTeamId, viewer, unread } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  useReplyToast(reply);
  const busy = useNavigation().formMethod === "POST";
  const home = `/tournaments/${tournament.id}`;
  return (
    <PublicPage viewer={viewer} unread={unread} className="pt-7 md:pt-8">
      <p className="text-meta">
        <Link to={home} dir="auto" className="link wrap-anywhere">
          {tournament.title}
        </Link>
      </p>
      {team ? (
        <div className="mt-4 max-w-[620px]">
          <div className="inline-block border-t-2 border-text">
            <Banners size={tournament.teamSize} players={team.members.slice(0, tournament.teamSize)} />
          </div>
          <h1 dir="auto" className="mt-3 text-title-phone font-[650] wrap-anywhere md:text-title">
            {team.name}
          </h1>
          <p className="mt-1 wrap-anywhere text-muted">
            {closed ?? (
              <>
                You're invited to play with {team.members.map(({ name }) => name).join(", ")}. For verified accounts,{" "}
                {tournament.limits}.
              </>
            )}
          </p>
          {reply?.next && (
            <p className="mt-3">
              <Link to={reply.next.to} className="link font-semibold">
                {reply.next.label}
              </Link>
            </p>
          )}
          {ownTeamId === team.id ? (
            <p className="mt-5">
              You're already in this team.{" "}
              <Link to={`${home}/teams/${team.id}`} className="link">
                Go to your team
              </Link>
            </p>
          ) : (
            closed === null && (
              <Form method="post" className="mt-5">
                <Button variant="primary" busy={busy} busyLabel="Joining">
                  Join Team
                </Button>
              </Form>
            )
          )}
        </div>
      ) : (
        <EmptyState title="This link doesn't work any more. Ask the captain for a new one.">
          <ButtonLink to={home}>Go to the Tournament</ButtonLink>
        </EmptyState>
      )}
    </PublicPage>
  );
}
