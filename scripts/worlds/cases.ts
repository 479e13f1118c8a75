import { DAY, HOUR, MINUTE } from "../../app/platform/dates/durations";
import { uuidv7 } from "../../db/ids";
import type * as schema from "../../db/schema";
import type { Finding } from "../../db/words/findings";
import { type ReportReason, URGENT_REASONS } from "../../db/words/report-reasons";
import type { Conversations } from "./conversations";
import type { Player } from "./players";
import type { Post } from "./posts";

/** The reported content of a world, as rows. */
export interface Cases {
  /** The snapshots hold only the parts that have changed since the report; `seed` adds the rest. */
  cases: (typeof schema.reportCases.$inferInsert)[];
  findings: (typeof schema.caseFindings.$inferInsert)[];
  reports: (typeof schema.reports.$inferInsert)[];
}

/** A reported thing: its text, the reasons for its reports, and the reporters' comments. */
interface Sketch {
  kind: "post" | "player" | "message" | "review";
  /** The index of the post or player in the world's list; for a message or a review, the index to search from. */
  of: number;
  /** The reported parts that have changed since the report. */
  said?: Record<string, string>;
  reason: ReportReason;
  details: readonly (string | null)[];
  /** The finding of our checks, if they flag it. */
  found?: { field: string; finding: Finding; match: string };
}

/** Twenty cases, the oldest first: a typical week, with some harmless reports. */
const WEEK: readonly Sketch[] = [
  {
    kind: "post",
    of: 7,
    said: { message: "Immo boost, 20 EUR a tier, fast and safe. Discord in profile." },
    reason: "cheating",
    details: ["Sells boosting.", null, "Again the same one."],
  },
  { kind: "post", of: 8, reason: "spam", details: ["I don't like the rank limit."] },
  {
    kind: "player",
    of: 21,
    said: { description: "If you bottom frag I will tell everyone how useless you are." },
    reason: "harassment",
    details: ["Read the description."],
  },
  {
    kind: "message",
    of: 40,
    said: { content: "You play like garbage. Uninstall, nobody wants you here." },
    reason: "harassment",
    details: ["After one lost round.", null],
  },
  {
    kind: "message",
    of: 60,
    said: { content: "Free skins, log in with your Riot account: https://riot-gifts.example" },
    reason: "spam",
    details: ["Looks like phishing.", "Phishing!", null, null],
    found: { field: "content", finding: "new-account-link", match: "https://riot-gifts.example" },
  },
  { kind: "review", of: 5, reason: "other", details: ["I never played with them."] },
  {
    kind: "review",
    of: 8,
    said: { comment: "One star because they blocked me." },
    reason: "other",
    details: ["Revenge, I blocked them for insults."],
  },
  { kind: "player", of: 30, reason: "cheating", details: ["Too good for Gold. Must be a smurf."] },
  {
    kind: "post",
    of: 12,
    said: { title: "No girls, no noobs", message: "Silver and up." },
    reason: "hate",
    details: ["Excludes women.", null],
  },
  {
    kind: "message",
    of: 80,
    said: { content: "I know where you live. Watch out." },
    reason: "threats",
    details: ["Please look at this quickly."],
  },
  { kind: "message", of: 90, reason: "harassment", details: [null] },
  {
    kind: "player",
    of: 45,
    said: { description: "Official Riot support. Get verified: https://riotgames.com@verify-riot.example" },
    reason: "spam",
    details: ["Pretends to be Riot."],
    found: { field: "description", finding: "userinfo-link", match: "https://riotgames.com@verify-riot.example" },
  },
  { kind: "post", of: 15, reason: "other", details: ["Wrong region."] },
  {
    kind: "player",
    of: 52,
    said: { author: "xX_ihateu_Xx" },
    reason: "hate",
    details: ["The name."],
  },
  {
    kind: "message",
    of: 110,
    said: { content: "send pics and I carry you to plat" },
    reason: "sexual",
    details: ["Disgusting."],
  },
  { kind: "review", of: 11, reason: "harassment", details: ["Calls me slow."] },
  {
    kind: "post",
    of: 18,
    said: { message: "Join our betting group, double your RP every weekend: https://bit.ly/rp-2x" },
    reason: "spam",
    details: [null, "Gambling."],
    found: { field: "message", finding: "shortener", match: "https://bit.ly/rp-2x" },
  },
  { kind: "player", of: 61, reason: "other", details: ["Left after two maps."] },
  {
    kind: "message",
    of: 130,
    said: { content: "gg ez trash" },
    reason: "harassment",
    details: ["Every time we win against them they write this."],
  },
  { kind: "post", of: 21, reason: "spam", details: ["Posted three times today."] },
];

/** Makes twenty open cases about posts, players, messages and reviews of a world, reported over the last five days. */
export function makeCases(
  players: readonly Player[],
  posts: readonly Post[],
  talk: Conversations,
  feedback: readonly (typeof schema.userFeedback.$inferInsert)[],
  now: Date,
): Cases {
  const all: Cases = { cases: [], findings: [], reports: [] };
  for (const [index, sketch] of WEEK.entries()) {
    const createdAt = new Date(now.getTime() - 5 * DAY + index * 6 * HOUR);
    const found = find(sketch, players, posts, talk, feedback);
    if (!found) continue;
    const id = uuidv7(createdAt.getTime());
    const lastAt = new Date(createdAt.getTime() + (sketch.details.length - 1) * 20 * MINUTE);
    all.cases.push({
      ...{ id, kind: sketch.kind, ...found, snapshot: { ...sketch.said }, createdAt, updatedAt: lastAt },
      ...{ reportCount: sketch.details.length, isFlagged: sketch.found !== undefined },
      isUrgent: URGENT_REASONS.some((reason) => reason === sketch.reason),
    });
    if (sketch.found) {
      const { match, ...finding } = sketch.found;
      all.findings.push({ caseId: id, ...finding, matches: [match], foundAt: createdAt });
    }
    all.reports.push(
      ...sketch.details.map((details, number) => {
        const sentAt = new Date(createdAt.getTime() + number * 20 * MINUTE);
        // The reporters are further down the list, so that nobody reports themselves.
        const reporter = players[100 + ((index * 7 + number * 13) % 90)] as Player;
        return {
          ...{ id: uuidv7(sentAt.getTime()), caseId: id, reporterId: reporter.user.id },
          ...{ reason: sketch.reason, details, createdAt: sentAt },
        };
      }),
    );
  }
  return all;
}

/**
 * Finds the thing that a sketch is about: its id and its author. A message or a review gets the sketch's text, because
 * neither can be edited afterwards.
 */
function find(
  { kind, of, said }: Sketch,
  players: readonly Player[],
  posts: readonly Post[],
  talk: Conversations,
  feedback: readonly (typeof schema.userFeedback.$inferInsert)[],
): { subjectId: string; playerId: string } | undefined {
  switch (kind) {
    case "post": {
      const post = posts[of];
      return post && { subjectId: post.id, playerId: post.userId };
    }
    case "player": {
      const id = players[of]?.user.id;
      return id === undefined ? undefined : { subjectId: id, playerId: id };
    }
    case "message": {
      // Not the last message of its conversation, because the conversation's preview repeats that one.
      const message = talk.messages.find(
        ({ senderId, conversationId }, index) =>
          index >= of && senderId && talk.messages[index + 1]?.conversationId === conversationId,
      );
      if (!message?.senderId) return undefined;
      message.content = said?.content ?? message.content;
      return { subjectId: message.id, playerId: message.senderId };
    }
    case "review": {
      const review = feedback.find(({ reviewerId, comment }, index) => index >= of && reviewerId && comment);
      if (!review?.reviewerId) return undefined;
      if (said?.comment) review.comment = said.comment;
      return { subjectId: review.id, playerId: review.reviewerId };
    }
    default:
      return kind satisfies never;
  }
}
