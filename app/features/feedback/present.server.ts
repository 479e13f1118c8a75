import { uuidv7 } from "#db/ids";
import { type Clock, shortDate } from "~/platform/dates/dates";
import { showMoment } from "~/platform/dates/time";
import { linksOf, type Page } from "~/platform/lists/keyset";
import { writeSearch } from "~/platform/search-params/search-params";
import type { FeedbackValues } from "./feedback-form";
import type { findSession, Review } from "./queries.server";
import { AGAIN_AFTER, mayChange, nextStep, type OwnFeedback, RATINGS, REVIEW_LIST, type Stars } from "./rules";

/** A player's reviews, read from the database in the same round trip as their profile. */
interface ReviewRows {
  ratings: { rating: Stars; count: number }[];
  page: Page<Review>;
}

/**
 * Presents a player's feedback for `FeedbackSection`.
 * @param ids the reviewed player's, and the viewer's (null for visitors)
 */
export function presentFeedback(
  { ratings, page }: ReviewRows,
  profile: { feedbackScore: number | null; totalRatings: number } | undefined,
  ids: { playerId: string; viewerId: string | null },
  clock: Clock,
) {
  return {
    score: profile?.feedbackScore ?? null,
    count: profile?.totalRatings ?? 0,
    counts: RATINGS.map((stars) => ratings.find(({ rating }) => rating === stars)?.count ?? 0),
    reviews: page.items.map((review) => presentReview(review, ids, clock)),
    /** The query strings of the previous and the next page. */
    pages: linksOf(page, (cursor) => writeSearch(REVIEW_LIST, { cursor })),
    isFirstPage: page.isFirst,
  };
}

export type FeedbackView = ReturnType<typeof presentFeedback>;

function presentReview(
  { id, reviewerId, name, hasPage, rating, comment, tags, revealedAt }: Review,
  { playerId, viewerId }: { playerId: string; viewerId: string | null },
  clock: Clock,
) {
  const isOwn = viewerId !== null && reviewerId === viewerId;
  return {
    id,
    name,
    page: hasPage ? `/players/${reviewerId}` : null,
    rating,
    comment,
    tags,
    time: showMoment(new Date(revealedAt), clock),
    /** Null for the viewer's own review, which they can't report. */
    report: isOwn ? null : `/players/${playerId}/report/${id}`,
  };
}

export type ReviewView = ReturnType<typeof presentReview>;

/** Returns the form's initial values: the viewer's feedback if it can be changed, or else empty values. */
export function feedbackValues(last: OwnFeedback | null, now: Date): FeedbackValues {
  if (last === null || !mayChange(last)) return { id: uuidv7(now.getTime()), rating: "", tags: [], comment: "" };
  const { id, rating, tags, comment, updatedAt } = last;
  return { id, rating: String(rating), tags, comment: comment ?? "", version: String(updatedAt) };
}

/** Says when a player can give the same player feedback again: 14 days after their last. */
export const sayMoreFrom = ({ createdAt }: Pick<OwnFeedback, "createdAt">, clock: Clock) =>
  `You can give more from ${shortDate(createdAt + AGAIN_AFTER, clock)}.`;

/**
 * Presents a session's players to the viewer, and picks the player whose form is open: the one named in the address, if
 * the viewer can give them feedback or change it. Otherwise it is the first to whom the viewer still has to give
 * feedback; `open` is null if nobody is left. `isDone` says whether to thank the viewer: no form is open, and none of
 * their feedback is from before this session was over.
 * @param wanted a player's id, or any other text from the address
 */
export function presentSession(
  { title, endedAt, players }: NonNullable<Awaited<ReturnType<typeof findSession>>>,
  wanted: string | null,
  clock: Clock,
) {
  const { now } = clock;
  const isEarlier = (last: OwnFeedback | null) => last !== null && last.createdAt < endedAt;
  const withSteps = players.map((player) => ({ player, step: nextStep(player.last, now.getTime(), endedAt) }));
  const named = withSteps.find(({ player, step }) => player.userId === wanted && step !== "wait");
  const open = named ?? withSteps.find(({ step }) => step === "give");
  return {
    title,
    players: withSteps.map(({ player: { last, ...player }, step }) => ({
      ...player,
      step,
      rating: step === "give" ? null : (last?.rating ?? null),
      isHidden: last?.isHidden ?? false,
      state:
        step === "edit"
          ? "Hidden until they give theirs"
          : `They can see it${last && isEarlier(last) ? `. ${sayMoreFrom(last, clock)}` : ""}`,
    })),
    isDone: !open && !players.some(({ last }) => isEarlier(last)),
    open: open
      ? {
          playerId: open.player.userId,
          name: open.player.name,
          values: feedbackValues(open.player.last, now),
          isChange: open.step === "edit",
        }
      : null,
  };
}

export type SessionPlayerView = ReturnType<typeof presentSession>["players"][number];
