import type { ActionFunctionArgs, LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { Outlet, useLoaderData } from "@remix-run/react";
import { PublicPage } from "~/features/dashboard/public-page";
import { handlePostButton } from "~/features/lfg/actions.server";
import { Five } from "~/features/lfg/five";
import { postIdOf } from "~/features/lfg/params.server";
import { useBumpForm, withBump } from "~/features/lfg/pending-bump";
import { AuthorLine, needs } from "~/features/lfg/post-card";
import { PageActions, PostNotices, PostWords } from "~/features/lfg/post-page";
import { postButtonSchema } from "~/features/lfg/schema";
import { wayBack } from "~/features/lfg/way-back";
import { PushButton } from "~/features/notifications/push/push-button";
import { useNewsOnPage } from "~/features/notifications/use-news-on-page";
import { AuthorPanel } from "~/features/players/page/author-panel";
import { initial } from "~/features/players/rules";
import { PeopleSection } from "~/features/players/shared/player-line";
import { type AcceptReply, pressTeamButton, returnAfterButton } from "~/features/teams/actions.server";
import { OwnRequest } from "~/features/teams/own-request";
import { Requests } from "~/features/teams/requests";
import { handleRoomForm, isRoomForm } from "~/features/teams/room/actions.server";
import { LiveRoom } from "~/features/teams/room/live-room";
import { teamButtonSchema } from "~/features/teams/schema";
import { Team } from "~/features/teams/team";
import { answerButton } from "~/platform/forms/answer-form.server";
import type { FormReply, ToastReply } from "~/platform/forms/forms";
import { originOf, publicPage } from "~/platform/pages/public-page";
import { notFound } from "~/platform/request/not-found.server";
import { ownPath } from "~/platform/request/origin";
import roomStyles from "~/styles/room.css";
import { Badge } from "~/ui/badge";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import type { loader } from "./load-post.server";
import "~/shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: roomStyles }];

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (!data) return [];
  const { post, summary } = data;
  return publicPage({
    title: post.title,
    description: summary,
    path: `/lfg/${post.id}`,
    origin: originOf(matches),
    type: "article",
    indexed: post.isOpen,
  });
};

export { loader } from "./load-post.server";

export const shouldRevalidate = reloadIfOutdated;

/**
 * Handles the buttons for a post's author, its team and the players who asked to join, and the forms of the team's
 * room. A button returns to the page that its form names, otherwise to the post's page.
 */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = postIdOf(params, context, request);
  const form = await request.formData();
  const way = wayBack(id, new URL(request.url));
  if (isRoomForm(form)) return handleRoomForm(args, form, { team: id, here: way.page });
  const team = teamButtonSchema.safeParse(Object.fromEntries(form));
  if (team.success) {
    return answerButton(args, {
      limit: "team",
      to: returnAfterButton(context, form, team.data, id) ?? way.page,
      run: ({ viewer }) => pressTeamButton(context, team.data, id, viewer.id),
    });
  }
  const button = postButtonSchema.safeParse(form.get("intent"));
  if (!button.success) notFound(context, request);
  return answerButton(args, {
    limit: "postChange",
    // A closed post is on no list, and only its page can reopen it.
    to: ownPath(String(form.get("returnTo") ?? "")) ?? (button.data === "close" ? way.page : way.dialog),
    run: ({ viewer }) => handlePostButton(context, button.data, id, viewer.id),
  });
}

export default function PostPage() {
  const {
    way,
    post: loaded,
    isOwn,
    isFull,
    canJoin,
    viewer,
    asked,
    room,
    about,
    ...page
  } = useLoaderData<typeof loader>();
  const reply = useReply<ToastReply & AcceptReply & Partial<FormReply>>();
  useReplyToast(reply);
  const { bumped } = useBumpForm();
  const [post = loaded] = withBump([loaded], bumped);
  // The author and the team already know the post, so its text comes after the author's actions, the requests and the
  // team. The actions of the team's other players come after the text.
  const isKnown = isOwn || room !== null;
  const words = <PostWords post={post} isPartyOfFour={page.isPartyOfFour} />;
  const actions = (
    <PageActions
      {...page}
      canJoin={canJoin}
      post={post}
      way={way}
      isSignedIn={viewer !== null}
      isOwn={isOwn}
      mayGiveFeedback={page.mayGiveFeedback && !room?.feedback}
    />
  );
  return (
    <PublicPage viewer={viewer} unread={page.unread} dialog={<Outlet />}>
      {viewer && <LiveNews />}
      {page.conversationId && <LiveRoom conversationId={page.conversationId} since={page.now} />}
      {/* Like the card in the list, but larger: readers find every part in the same place. */}
      <article className={about ? "post-with-about" : ARTICLE}>
        <div className="post-five h-fit">
          <Five
            members={[
              { letter: post.author.letter, picture: post.author.picture, isYou: isOwn },
              ...(room?.members.slice(1) ?? []).map(({ userId, name, picture }) => ({
                letter: initial(name),
                picture,
                isYou: userId === viewer?.id,
              })),
            ]}
            taken={post.takenSpots}
            needed={post.openSpots}
            fits={page.fits}
            role={post.requiredRole}
          />
          <p className="mt-[7px] text-meta font-semibold">{isFull ? "The team is complete" : needs(post.openSpots)}</p>
        </div>
        <div className="min-w-0 pt-5 md:pt-7">
          <h1 dir="auto" className="text-title-phone font-[650] tracking-[-0.005em] wrap-anywhere md:text-title">
            {post.title}
          </h1>
          <div className="mt-1.5">
            <AuthorLine author={post.author} />
          </div>
          {page.block === "blocked" && <Badge className="mt-2.5">Blocked</Badge>}
          <PostNotices {...page} post={post} isOwn={isOwn} isFull={isFull} isKnown={isKnown} />
          {asked && !page.block && (
            <OwnRequest
              author={post.author.name}
              isOpen={post.isOpen}
              isFull={isFull}
              opensAgain={page.opensAgain}
              request={asked}
            />
          )}
          {!isKnown && words}
          {(isOwn || !isKnown) && actions}
          {page.pushKey && (
            <PushButton publicKey={page.pushKey} label="Tell me when someone answers" className="mt-4" />
          )}
          {!viewer && (
            <p className="mt-5 text-meta text-muted">
              Lineup is where VALORANT players find teammates.{" "}
              <Link to="/" className="link">
                How it works
              </Link>
            </p>
          )}
        </div>
        {about && <AuthorPanel {...about} />}
      </article>
      <Requests requests={page.requests} wanted={post} toConfirm={reply?.toConfirm} />
      {viewer && room && (
        <Team
          viewerId={viewer.id}
          room={room}
          conversationId={page.conversationId}
          here={way.page}
          reply={reply?.result && (reply as FormReply)}
        />
      )}
      {isKnown && (
        <PeopleSection id="the-post" title="The post">
          {words}
          {!isOwn && actions}
        </PeopleSection>
      )}
    </PublicPage>
  );
}

const ARTICLE = "md:grid md:max-w-[988px] md:grid-cols-[200px_minmax(0,1fr)] md:gap-x-7";

/** Reloads the page's data when news arrives. Only for signed-in players, because others have no inbox. */
function LiveNews() {
  useNewsOnPage();
  return null;
}
