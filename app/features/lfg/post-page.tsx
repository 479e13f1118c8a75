import { Form, useNavigation } from "@remix-run/react";
import { blockPage } from "~/features/blocks/rules";
import { HiddenNotice } from "~/features/moderation/shared/hidden-notice";
import { Reason } from "~/features/players/shared/reason";
import { PARTY_OF_FOUR } from "~/game/queue";
import { Button, ButtonLink } from "~/ui/button";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { ShareButton } from "~/ui/share-button";
import { PostActions } from "./post-actions";
import { Wants } from "./post-card";
import type { PostView } from "./present.server";
import type { WayBack } from "./way-back";

/* The parts of a post's page whose place on it differs for the author, the team and others. */

/** The post itself: its text, its requirements, the reasons for and against it, and its times. */
export function PostWords({ post, isPartyOfFour }: { post: PostView; isPartyOfFour: boolean }) {
  return (
    <>
      {post.message && (
        <p dir="auto" className="mt-5 text-landing wrap-anywhere whitespace-pre-line">
          {post.message}
        </p>
      )}
      <div className="mt-5">
        <Wants post={post} />
        {post.isOpen && post.reasons.length > 0 && (
          <ul className="mt-3 grid gap-1 text-meta">
            {post.reasons.map(({ about, fits, text }) => (
              <Reason key={about} fits={fits}>
                {text}
              </Reason>
            ))}
          </ul>
        )}
        {isPartyOfFour && <p className="mt-2 text-meta text-muted">{PARTY_OF_FOUR}</p>}
      </div>
      <p className="mt-5 text-meta text-muted">
        <RelativeTime moment={post.listed} />
        {post.isOpen && ` · Closes ${post.closes}`}
      </p>
    </>
  );
}

const FILLED = "The post closed when the last spot was taken.";
const REOPENS = "It reopens when someone leaves, unless you close it.";
const STAYS_CLOSED = "You closed it, so it stays closed when someone leaves.";

interface PostNoticesProps {
  post: PostView;
  isOwn: boolean;
  /** Whether the viewer is the author or in the post's team. */
  isKnown: boolean;
  isHidden: boolean;
  isFull: boolean;
  opensAgain: boolean;
  canReopen: boolean;
  reopenableUntil: string | null;
  block: PageActionsProps["block"];
}

/** Why the post is hidden or closed, or its author out of reach. */
export function PostNotices({ post, isOwn, isKnown, isHidden, isFull, block, ...page }: PostNoticesProps) {
  return (
    <>
      {isHidden && (
        <HiddenNotice title="Moderators have hidden this post." className="mt-5">
          Only you can still see it.
        </HiddenNotice>
      )}
      {!post.isOpen && !isHidden && (
        <Notice
          title={isFull ? `${isKnown ? "Your" : "This"} team is complete.` : "This post is closed."}
          className="mt-5"
        >
          {isFull
            ? [FILLED, page.opensAgain && isOwn && REOPENS, page.canReopen && STAYS_CLOSED].filter(Boolean).join(" ")
            : page.canReopen
              ? `Other players no longer see it in the list. You can reopen it until ${page.reopenableUntil}.`
              : "It no longer shows in the list. There may be others like it."}
        </Notice>
      )}
      {block && (
        <Notice title="You can't contact this player." className="mt-5">
          {block === "blocked" ? (
            <>
              You've blocked them.{" "}
              <Link to="/dashboard/settings/blocked" className="link">
                Your blocked players
              </Link>
            </>
          ) : (
            "There are other posts, and one of them has your spot."
          )}
        </Notice>
      )}
    </>
  );
}

interface PageActionsProps {
  post: PostView;
  way: WayBack;
  isSignedIn: boolean;
  isOwn: boolean;
  /** Whether the viewer or the author has blocked the other; the viewer learns only of their own block. */
  block: "blocked" | "unreachable" | null;
  opensAgain: boolean;
  canReopen: boolean;
  canDelete: boolean;
  canJoin: boolean;
  mayGiveFeedback: boolean;
}

/** The viewer's actions on the post, as its author, in its team or as someone else. */
export function PageActions({ post, way, isSignedIn, isOwn, block, ...can }: PageActionsProps) {
  const pressed = useNavigation().formData?.get("intent");
  return (
    <div className="actions mt-7 flex flex-wrap gap-2">
      {isOwn && post.isOpen && <PostActions post={post} returnTo={way.page} query={way.query} />}
      {isOwn && can.opensAgain && (
        <ButtonLink to={`/lfg/${post.id}/close${way.query}`} preventScrollReset>
          Close Post
        </ButtonLink>
      )}
      {can.canReopen && (
        <Form method="post" preventScrollReset className="contents">
          <Button name="intent" value="reopen" variant="primary" busy={pressed === "reopen"} busyLabel="Reopening">
            Reopen Post
          </Button>
        </Form>
      )}
      {can.canJoin && (
        <ButtonLink to={`/lfg/${post.id}/join${way.query}`} variant="primary" preventScrollReset>
          Request to Join
        </ButtonLink>
      )}
      {can.mayGiveFeedback && (
        <ButtonLink to={`/dashboard/feedback/${post.id}`} prefetch="intent">
          Give Feedback
        </ButtonLink>
      )}
      {!isOwn && post.isOpen && !block && (
        <ButtonLink to={`/lfg/${post.id}/contact${way.query}`} preventScrollReset>
          Contact
        </ButtonLink>
      )}
      {post.isOpen && <ShareButton link={`/lfg/${post.id}`} title={post.title} variant="quiet" />}
      {isSignedIn && (
        <ButtonLink to={way.list} variant="quiet">
          All posts
        </ButtonLink>
      )}
      {can.canDelete && (
        <ButtonLink to={`/lfg/${post.id}/delete${way.query}`} variant="danger" preventScrollReset>
          Delete Post
        </ButtonLink>
      )}
      {isSignedIn && !isOwn && block !== "blocked" && (
        <ButtonLink to={blockPage(post.author.id, way.page)} variant="quiet">
          Block
        </ButtonLink>
      )}
      {!isOwn && (
        <ButtonLink to={`/lfg/${post.id}/report${way.query}`} variant="quiet" preventScrollReset>
          Report
        </ButtonLink>
      )}
    </div>
  );
}
