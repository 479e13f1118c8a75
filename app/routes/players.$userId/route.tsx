import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { blockPage } from "~/features/blocks/rules";
import { PublicPage } from "~/features/dashboard/public-page";
import { FeedbackSection } from "~/features/feedback/feedback-section";
import { needs } from "~/features/lfg/post-card";
import { PlayerFacts, PlayerHours } from "~/features/players/page/player-facts";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { BriefRequests, StandingActions } from "~/features/teams/shared/own-part";
import { PlayedTournaments } from "~/features/tournaments/played/played-tournaments";
import { originOf, publicPage } from "~/platform/pages/public-page";
import profileStyles from "~/styles/profile-page.css";
import { Avatar } from "~/ui/avatar";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { keepUnderDialog } from "~/ui/dialogs/dialogs";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { ShareButton } from "~/ui/share-button";
import type { loader } from "./load-player.server";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: profileStyles }];

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { player, posts } = data;
  const facts = [player.rank, player.role, player.region].filter(Boolean).join(", ");
  const asks = posts[0] && `${needs(posts[0].openSpots)}: ${posts[0].title}`;
  return publicPage({
    title: player.name,
    description: [facts, asks, player.description ?? "A VALORANT player looking for teammates on Lineup."]
      .filter(Boolean)
      .join(". "),
    path: `/players/${player.id}`,
    origin: originOf(matches),
    indexed: player.isListed,
  });
};

export { loader } from "./load-player.server";

export const shouldRevalidate = keepUnderDialog;

export default function PlayerPage() {
  const {
    player,
    feedback,
    reviewStep,
    posts,
    asking,
    played,
    isOwn,
    isApart,
    block,
    contactNotice,
    mayMessage,
    viewer,
    unread,
  } = useLoaderData<typeof loader>();
  return (
    <PublicPage viewer={viewer} unread={unread} dialog={<Outlet />}>
      <div className="player-page">
        <div className="min-w-0">
          <div className="flex gap-5">
            <Avatar letter={player.letter} picture={player.picture} size="profile" className="player-banner" />
            <div className="min-w-0 flex-1 pt-6">
              <div className="mb-2.5 flex flex-wrap items-center gap-x-3">
                <h1
                  id="player-name"
                  dir="auto"
                  className="text-title-phone font-[650] tracking-[-0.005em] wrap-anywhere md:text-title"
                >
                  {player.name}
                </h1>
                {player.verified && <VerifiedMark {...player.verified} />}
                {block === "Unblock" && <Badge>Blocked</Badge>}
              </div>
              <PlayerFacts player={player} />
            </div>
          </div>
          {isOwn && <Notice title="This is how others see you." className="mt-6" />}
          {block === "Unblock" && <Notice title="You've blocked this player." className="mt-6" />}
          {contactNotice && <p className="mt-6 text-meta text-muted">{contactNotice}</p>}
          <div className="actions mt-6 mb-7 flex flex-wrap gap-2">
            {isOwn && (
              <ButtonLink to="/dashboard/profile" variant="primary">
                Edit Profile
              </ButtonLink>
            )}
            {!isOwn && !isApart && mayMessage && (
              <ButtonLink to={`/players/${player.id}/message`} variant="primary" preventScrollReset>
                Message
              </ButtonLink>
            )}
            {reviewStep && (
              <ButtonLink to={`/players/${player.id}/feedback`} preventScrollReset>
                {reviewStep === "give" ? "Give Feedback" : "Change Feedback"}
              </ButtonLink>
            )}
            <ShareButton link={`/players/${player.id}`} title={player.name} variant="quiet" />
            {block && (
              <ButtonLink to={blockPage(player.id)} variant="quiet" preventScrollReset>
                {block}
              </ButtonLink>
            )}
            {!isOwn && (
              <ButtonLink to={`/players/${player.id}/report`} variant="quiet" preventScrollReset>
                Report
              </ButtonLink>
            )}
          </div>
          {player.description && (
            <p dir="auto" className="mb-7 text-landing wrap-anywhere whitespace-pre-line">
              {player.description}
            </p>
          )}
          {asking.length > 0 && (
            <section aria-labelledby="asking" className="profile-section">
              <h2 id="asking" className="profile-legend">
                {isOwn ? "Requests to join" : "Wants to join your team"}
              </h2>
              {asking.map(({ postId, title, requests }) => (
                <div key={postId} className="max-w-[440px] [&+&]:mt-4">
                  <p className="mb-2 wrap-anywhere">
                    <Link to={`/lfg/${postId}`} prefetch="intent" dir="auto" className="link">
                      {title}
                    </Link>
                  </p>
                  <BriefRequests postId={postId} requests={requests} returnTo={`/players/${player.id}`} />
                </div>
              ))}
            </section>
          )}
          <PlayerHours player={player} />
          {posts.length > 0 && (
            <section aria-labelledby="open-posts" className="profile-section">
              <h2 id="open-posts" className="profile-legend">
                Looking for Players
              </h2>
              <ul className="grid gap-3">
                {posts.map(({ id, title, openSpots, timeLeft, standing }) => (
                  <li key={id}>
                    <Link
                      id={`post-${id}`}
                      to={`/lfg/${id}`}
                      prefetch="intent"
                      dir="auto"
                      className="inline-flex items-center text-post font-[650] wrap-anywhere hover:underline touch:min-h-11"
                    >
                      {title}
                    </Link>
                    <p className="text-meta text-muted">
                      {needs(openSpots)} · {timeLeft} left
                    </p>
                    {standing && (
                      <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1">
                        <StandingActions
                          postId={id}
                          standing={standing}
                          describedBy={`post-${id} player-name`}
                          returnTo={`/players/${player.id}`}
                        />
                      </div>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          )}
          <PlayedTournaments {...played} />
        </div>
        {feedback && (
          <div className="page-aside">
            <FeedbackSection feedback={feedback} here={`/players/${player.id}`} />
          </div>
        )}
      </div>
      {!viewer && (
        <p className="mt-5 text-meta text-muted">
          Lineup is where VALORANT players find teammates.{" "}
          <Link to="/" className="link">
            How it works
          </Link>
        </p>
      )}
    </PublicPage>
  );
}
