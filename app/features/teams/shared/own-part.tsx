import { Form } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/button";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import { Link } from "~/ui/link";
import type { BriefRequest, OwnTeam } from "../queries.server";
import type { StandingView } from "./standing.server";

export type { BriefRequest, OwnTeam, StandingView };

/*
 * The viewer's requests to join posts, and other players' requests to join the viewer's posts. Both components are in
 * one file, because every page that shows one can show the other.
 */

/** The viewer's standing with a post, and the action that it allows. */
export function StandingActions({
  postId,
  standing: { words, canWithdraw, chat },
  describedBy,
  returnTo,
}: {
  postId: string;
  standing: StandingView;
  /** The ids of the post's title and its author's name: a page has the same actions for several posts. */
  describedBy: string;
  /** The page that shows the component, to which `Withdraw` returns. */
  returnTo: string;
}) {
  return (
    <>
      <p className="standing" data-in={chat ? "" : undefined}>
        {words}
      </p>
      {canWithdraw && (
        <Form method="post" action={`/lfg/${postId}`} preventScrollReset>
          <input type="hidden" name="returnTo" value={returnTo} />
          <Button name="intent" value="withdraw" variant="quiet" size="row" aria-describedby={describedBy}>
            Withdraw
          </Button>
        </Form>
      )}
      {chat && (
        <ButtonLink to={chat} size="row" aria-describedby={describedBy}>
          Team Chat
        </ButtonLink>
      )}
    </>
  );
}

/** The requests to join one of the viewer's posts, with buttons to answer them from another page. */
export function BriefRequests({
  postId,
  requests,
  returnTo,
}: {
  postId: string;
  requests: BriefRequest[];
  /** The page that shows the component, to which an answer returns. */
  returnTo: string;
}) {
  return requests.map(({ id, userId, name, rank, role, note, misfit }) => (
    <Form key={id} method="post" action={`/lfg/${postId}`} preventScrollReset className="brief-request">
      <input type="hidden" name="returnTo" value={returnTo} />
      <input type="hidden" name="request" value={id} />
      <Link id={`asks-${id}`} to={`/players/${userId}`} dir="auto" className="author-link">
        {name}
      </Link>
      {rank && <RankBadge rank={rank} />}
      {role && <RoleChip role={role} />}
      {misfit && <p className="brief-note reason">{misfit}</p>}
      {note && (
        <p dir="auto" className="brief-note">
          “{note}”
        </p>
      )}
      <p className="brief-buttons">
        {(["Accept", "Decline"] as const).map((label) => (
          <Button
            key={label}
            name="intent"
            value={label.toLowerCase()}
            variant={label === "Accept" ? "secondary" : "quiet"}
            size="row"
            aria-describedby={`asks-${id}`}
          >
            {label}
          </Button>
        ))}
      </p>
    </Form>
  ));
}
