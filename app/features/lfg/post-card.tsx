import type { ReactNode } from "react";
import { Reason } from "~/features/players/shared/reason";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { StandingActions, type StandingView } from "~/features/teams/shared/own-part";
import { Avatar } from "~/ui/avatar";
import { ButtonLink } from "~/ui/button";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import { Prerendered } from "~/ui/page/prerendered";
import { RelativeTime } from "~/ui/relative-time";
import { type Banner, Five } from "./five";
import type { CardView } from "./present.server";
import { backTo, postPage } from "./way-back";

/** Says how many players a post needs: "Needs 2 players". */
export const needs = (count: number) => `Needs ${count} ${count === 1 ? "player" : "players"}`;

type Details = NonNullable<CardView["details"]>;
type Author = Details["author"];

/** The banner of a post's author. */
const bannerOf = (author: Author): Banner => ({
  letter: author.letter,
  picture: author.picture,
  presence: author.presence?.state,
});

/** A post's author: name, verified mark, rank, role and main agents. The name's link gets `id`. */
export function AuthorLine({ id, author }: { id?: string; author: Author }) {
  return (
    <div className="facts">
      <span className="author">
        <Link id={id} to={`/players/${author.id}`} dir="auto" className="author-link">
          {author.name}
        </Link>
        {author.verified && <VerifiedMark {...author.verified} />}
        {author.presence && <span>{author.presence.words}</span>}
      </span>
      {author.rank && <RankBadge rank={author.rank} />}
      {author.role && <RoleChip role={author.role} />}
      {author.agents.length > 0 && <span>{author.agents.join(", ")}</span>}
    </div>
  );
}

/** The players that a post wants: their rank, role and region. */
export function Wants({ post }: { post: Pick<CardView, "requiredRole"> & Pick<Details, "requiredRank" | "region"> }) {
  return (
    <div className="facts wants">
      <span>Wants</span>
      {post.requiredRank ? (
        <span>
          <RankBadge rank={post.requiredRank} />
          {post.requiredRank !== "Radiant" && " and up"}
        </span>
      ) : (
        <span>Any rank</span>
      )}
      {post.requiredRole ? <RoleChip role={post.requiredRole} strong /> : <span>Any role</span>}
      <span>{post.region ?? "Any region"}</span>
    </div>
  );
}

/*
 * The ids of the texts that describe a card's actions. Each of these ids occurs several times on the card, so it is
 * short: a letter, and the random end of the post's id.
 */
const titleId = (postId: string) => `t${postId.slice(-6)}`;
const authorId = (postId: string) => `a${postId.slice(-6)}`;

/** The viewer's part in a post. */
interface OwnView {
  isOwn: boolean;
  standing: StandingView | null;
  /** The viewer's banner if they are in the team. */
  you: Banner | null;
}

/**
 * One post in the list: a row under a hairline, with the viewer's standing and actions. The post's page, the dialogs
 * and the buttons lead back to the address `list`. In specimens, `action` replaces the actions.
 */
export function PostCard({
  post: { id, requiredRole, listed, details, isOwn, standing, you, ...post },
  state: { openSpots, takenSpots = 0, isOpen } = post,
  viewer,
  list = "/dashboard",
  action,
}: {
  post: CardView & Partial<OwnView>;
  /** The post's newer state, if it has changed since the page was loaded. */
  state?: Pick<CardView, "openSpots" | "takenSpots" | "isOpen"> | undefined;
  /** The viewer's banner, which their own posts show. */
  viewer?: Banner;
  list?: string;
  action?: ReactNode;
}) {
  return (
    <article className="lfg-card">
      <div className="lfg-card-five">
        <Five
          members={[
            isOwn && viewer ? (
              viewer
            ) : (
              <Prerendered key="author" as="span" data={details}>
                {({ author }) => <Avatar {...bannerOf(author)} size="team" />}
              </Prerendered>
            ),
            ...(you ? [you] : []),
          ]}
          taken={takenSpots}
          needed={openSpots}
          fits={post.fits === true && isOpen}
          role={requiredRole}
        />
        <p>{openSpots > 0 ? needs(openSpots) : "Team is full"}</p>
      </div>
      <Prerendered as="div" data={details}>
        {({ title, message, requiredRank, region, author, reasons }) => (
          <div className="lfg-card-body">
            <h3 id={`post-${id}`} dir="auto">
              <Link id={titleId(id)} to={postPage(id, list)} prefetch="intent" viewTransition>
                {title}
              </Link>
            </h3>
            <AuthorLine id={authorId(id)} author={author} />
            {message && <p dir="auto">{message}</p>}
            <Wants post={{ requiredRank, requiredRole, region }} />
            {reasons.length > 0 && (
              <ul>
                {reasons.map(([fits, text]) => (
                  <Reason key={text} fits={fits}>
                    {text}
                  </Reason>
                ))}
              </ul>
            )}
          </div>
        )}
      </Prerendered>
      <div className="lfg-card-meta">
        <Prerendered as="p" data={listed}>
          {(listed) => (
            <p>
              <RelativeTime moment={listed} />
            </p>
          )}
        </Prerendered>
        {!isOpen && <p>Closed</p>}
        <Prerendered as="p" data={details}>
          {({ timeLeft }) => <p>{`${timeLeft} left`}</p>}
        </Prerendered>
        {action ?? <CardActions id={id} isOpen={isOpen} isOwn={isOwn} standing={standing} list={list} />}
      </div>
    </article>
  );
}

/** The viewer's standing with a post and their actions on it. The post's title and author describe the actions. */
function CardActions({
  id,
  isOpen,
  isOwn,
  standing,
  list,
}: Pick<CardView, "id" | "isOpen"> & Pick<Partial<OwnView>, "isOwn" | "standing"> & { list: string }) {
  const look = { size: "row", "aria-describedby": `${titleId(id)} ${authorId(id)}` } as const;
  return (
    <div className="lfg-card-actions">
      {isOwn && <p className="standing">Your post</p>}
      {standing && (
        <StandingActions postId={id} standing={standing} describedBy={look["aria-describedby"]} returnTo={list} />
      )}
      {!isOwn && !standing && (
        <ButtonLink {...look} to={`/lfg/${id}/join${backTo(list)}`} className={isOpen ? "" : "invisible"}>
          Request to Join
        </ButtonLink>
      )}
      {!isOwn && !standing?.chat && (
        <ButtonLink
          {...look}
          to={`/lfg/${id}/contact${backTo(list)}`}
          variant="quiet"
          prefetch="intent"
          className={isOpen ? "" : "invisible"}
        >
          Contact
        </ButtonLink>
      )}
    </div>
  );
}
