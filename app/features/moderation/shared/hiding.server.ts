import type { SQL } from "drizzle-orm";
import type { Database } from "#db/client";
import type { Results } from "#db/statements";
import { switchReview } from "~/features/feedback/shared/hide-review.server";
import { noteFollowUp } from "~/features/follow-ups/shared/note.server";
import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { hidePost, restorePost } from "~/features/lfg/shared/hide-post.server";
import { hideChatMessage, restoreChatMessage } from "~/features/messages/shared/hide-message.server";
import { tellNotified } from "~/features/notifications/shared/unread.server";
import { hidePlayer, restorePlayer } from "~/features/players/shared/hide-player.server";
import { hideTeam, restoreTeam } from "~/features/tournaments/shared/hide-team.server";
import { hideTournament, restoreTournament } from "~/features/tournaments/shared/hide-tournament.server";
import type { RequestContext } from "~/platform/context";
import type { Hideable } from "./hideable";

/**
 * Builds the statements that hide a subject on every surface; they belong in the transaction of the decision. Hiding a
 * hidden subject changes nothing.
 * @param condition SQL that is true if the decision was made. It must not depend on data that the statements change
 * @returns the statements; pass their results to `followHiding` once they are stored
 */
export const hideSubject = (db: Database, subject: Hideable, now: Date, condition: SQL) => ({
  followUp: noteFollowUp(db, subject, now, condition),
  ...hide(db, subject, now, condition),
});

function hide(db: Database, { kind, id }: Hideable, now: Date, condition: SQL) {
  switch (kind) {
    case "post":
      return { post: hidePost(db, id, now, condition) };
    case "player":
      return { player: hidePlayer(db, id, now, condition) };
    case "message":
      return { message: hideChatMessage(db, id, now, condition) };
    case "review":
      return { review: switchReview(db, id, true, now, condition) };
    case "team":
      return { team: hideTeam(db, id, now, condition) };
    case "tournament":
      return { tournament: hideTournament(db, id, now, condition) };
    default:
      return kind satisfies never;
  }
}

/**
 * Builds the statements that show a hidden subject again, as it was; otherwise like `hideSubject`.
 * @returns the statements; pass their results to `followHiding` once they are stored
 */
export const restoreSubject = (db: Database, subject: Hideable, now: Date, condition: SQL) => ({
  followUp: noteFollowUp(db, subject, now, condition),
  ...restore(db, subject, now, condition),
});

function restore(db: Database, { kind, id }: Hideable, now: Date, condition: SQL) {
  switch (kind) {
    case "post":
      return { post: restorePost(db, id, now, condition) };
    case "player":
      return { player: restorePlayer(db, id, now, condition) };
    case "message":
      return { message: restoreChatMessage(db, id, condition) };
    case "review":
      return { review: switchReview(db, id, false, now, condition) };
    case "team":
      return { team: restoreTeam(db, id, now, condition) };
    case "tournament":
      return { tournament: restoreTournament(db, id, now, condition) };
    default:
      return kind satisfies never;
  }
}

/** The results of the statements that hide or restore a subject. */
export type HidingResults = Results<ReturnType<typeof hideSubject>> | Results<ReturnType<typeof restoreSubject>>;

/**
 * Does the work that a transaction can't, once a subject is hidden or restored: carries out its follow-ups, and updates
 * the counts of players who have lost news. Runs after the response.
 */
export function followHiding(
  context: Pick<RequestContext, "db" | "env" | "origin" | "defer">,
  subject: Hideable,
  { post, player, review, tournament }: HidingResults,
): void {
  const teams = player && "teamDetails" in player ? player.teamDetails.map(({ postId }) => postId) : [];
  for (const id of new Set(teams)) context.defer(() => carryOutFollowUps(context, { kind: "post", id }));
  if (post && "removedNews" in post) tellNotified(context, post.removedNews);
  if (review) tellNotified(context, review.news.removed);
  if (tournament && "removedNews" in tournament) tellNotified(context, tournament.removedNews);
  context.defer(() => carryOutFollowUps(context, subject));
}
