import { FEEDBACK_TAGS, REVEALED_AFTER, type Stars } from "../../app/features/feedback/rules";
import { rankingScore } from "../../app/features/feedback/shared/ranking";
import { DAY, HOUR } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type { userFeedback } from "../../db/schema";
import { REVIEW_COMMENTS } from "./copy";
import type { Player } from "./players";
import { Random } from "./random";

type Feedback = typeof userFeedback.$inferInsert;

interface Sketch {
  /** Player numbers: the reviewer and the reviewed. The first is null if that account is deleted. */
  from: number | null;
  of: number;
  rating: Stars;
  comment?: string;
  tags?: readonly (typeof FEEDBACK_TAGS)[number][];
  /** The review's age, in milliseconds. */
  age: number;
  /** The time since it was revealed, in milliseconds; hidden if left out. */
  revealed?: number;
}

/** The demo world's feedback. The first player has the most; players 6 and 10 to 12 have none. */
const DEMO: readonly Sketch[] = [
  {
    from: 2,
    of: 1,
    rating: 5,
    comment: "Calls early and stays kind at 3–11.",
    tags: ["calls clearly", "keeps calm"],
    age: 3 * DAY,
    revealed: 2 * DAY,
  },
  {
    from: 1,
    of: 2,
    rating: 4,
    comment: "Goes in first, and says so before.",
    tags: ["plays for the team"],
    age: 2 * DAY,
    revealed: 2 * DAY,
  },
  { from: 3, of: 1, rating: 4, comment: "Great smokes, one late evening.", age: 16 * DAY, revealed: 9 * DAY },
  { from: 7, of: 1, rating: 5, tags: ["friendly", "explains well"], age: 38 * DAY, revealed: 31 * DAY },
  {
    from: 5,
    of: 1,
    rating: 5,
    comment: "Waited for me twice. I was the one who was late.",
    tags: ["on time"],
    age: 47 * DAY,
    revealed: 45 * DAY,
  },
  { from: null, of: 1, rating: 3, comment: "Fine, but stops after two losses.", age: 70 * DAY, revealed: 63 * DAY },
  { from: 1, of: 5, rating: 4, comment: "Patient anchor.", tags: ["keeps calm"], age: 45 * DAY, revealed: 45 * DAY },
  { from: 4, of: 1, rating: 5, age: 90 * DAY, revealed: 88 * DAY },
  {
    from: 1,
    of: 4,
    rating: 5,
    comment: "Aim of another world, and still asks what you need.",
    age: 88 * DAY,
    revealed: 88 * DAY,
  },
  { from: 3, of: 2, rating: 2, comment: "Went quiet when it got close.", age: 20 * DAY, revealed: 13 * DAY },
  {
    from: 8,
    of: 7,
    rating: 5,
    comment: "Holds a site alone.",
    tags: ["calls clearly"],
    age: 12 * DAY,
    revealed: 11 * DAY,
  },
  { from: 7, of: 8, rating: 5, tags: ["friendly", "on time"], age: 11 * DAY, revealed: 11 * DAY },
  { from: 9, of: 8, rating: 4, age: 25 * DAY, revealed: 18 * DAY },
  { from: 8, of: 9, rating: 3, comment: "Learning, and says it.", age: 25 * DAY, revealed: 18 * DAY },
  // These are still hidden.
  { from: 2, of: 3, rating: 5, comment: "Made us laugh.", age: 2 * DAY },
  { from: 5, of: 4, rating: 2, age: 5 * HOUR },
];

/** The demo world's feedback. */
export const demoFeedback = (players: readonly Player[], now: Date): Feedback[] =>
  DEMO.map((sketch) => makeFeedback(sketch, players, now));

/**
 * The demo world's feedback, more for the first player, and some for most players from the 13th on. A few have several
 * pages of it.
 */
export function busyFeedback(players: readonly Player[], now: Date): Feedback[] {
  const random = new Random(7301);
  const sketches: Sketch[] = [...DEMO];
  for (let of = 1; of <= players.length; of += 1) {
    if ((of > 1 && of <= 12) || (of > 12 && random.chance(0.25))) continue;
    const usual = of === 1 ? 5 : random.between(3, 5);
    const count = of === 1 ? 30 : random.chance(0.1) ? random.between(12, 40) : random.between(1, 6);
    const reviewers = random.sample([...players.keys()].slice(12), count + 1).filter((index) => index + 1 !== of);
    for (const index of reviewers.slice(0, count)) {
      const age = random.between(8, 180) * DAY + random.between(0, DAY);
      sketches.push({
        from: index + 1,
        of,
        rating: (random.chance(0.1) ? random.between(1, 5) : Math.min(5, usual + random.between(-1, 1))) as Stars,
        ...(random.chance(0.6) && { comment: random.pick(REVIEW_COMMENTS) }),
        ...(random.chance(0.5) && { tags: random.sample(FEEDBACK_TAGS, random.between(1, 3)) }),
        age,
        revealed: age - random.between(HOUR, REVEALED_AFTER),
      });
    }
  }
  return sketches.map((sketch) => makeFeedback(sketch, players, now));
}

function makeFeedback(sketch: Sketch, players: readonly Player[], now: Date): Feedback {
  const ago = (age: number) => new Date(now.getTime() - age);
  const { from, of, rating, comment = null, tags = null, age, revealed } = sketch;
  const idOf = (number: number) => (players[number - 1] as Player).user.id;
  return {
    id: uuidv7(ago(age).getTime()),
    reviewerId: from === null ? null : idOf(from),
    reviewedId: idOf(of),
    rating,
    comment,
    tags: tags && [...tags],
    createdAt: ago(age),
    updatedAt: ago(age),
    dueAt: new Date(ago(age).getTime() + REVEALED_AFTER),
    revealedAt: revealed === undefined ? null : ago(revealed),
  };
}

/** Returns the players with the scores that result from their reviews. */
export function withScores(players: readonly Player[], feedback: readonly Feedback[]): Player[] {
  const given = new Map<string, number[]>();
  for (const { reviewedId, rating, revealedAt } of feedback) {
    if (revealedAt) given.set(reviewedId, [...(given.get(reviewedId) ?? []), rating]);
  }
  return players.map((player) => {
    const ratings = given.get(player.user.id);
    if (!ratings) return player;
    const sum = ratings.reduce((stars, rating) => stars + rating, 0);
    const score = rankingScore(ratings.length, sum);
    return {
      ...player,
      profile: {
        ...player.profile,
        feedbackScore: sum / ratings.length,
        totalRatings: ratings.length,
        rankingScore: score,
      },
      facets: player.facets.map((facet) => ({ ...facet, rankingScore: score })),
    };
  });
}
