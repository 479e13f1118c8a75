import { refuseLimited } from "~/features/moderation/shared/limits.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { tellTeams } from "~/features/teams/shared/tell-teams.server";
import type { RequestContext } from "~/platform/context";
import type { Answer } from "~/platform/forms/answer-form.server";
import { bumpPost, closePost, reopenPost } from "./commands.server";
import type { PostButton } from "./schema";
import { tellPostLists } from "./shared/tell-post-lists.server";

/**
 * Handles a button that a post's author has pressed. After the response, the open pages that show the change are
 * updated: lists of posts, the team's pages, and the tabs of players who had asked to join.
 */
export async function handlePostButton(
  context: RequestContext,
  button: PostButton,
  postId: string,
  authorId: string,
): Promise<Answer> {
  const { db, now } = context;
  switch (button) {
    case "bump": {
      const bumped = await bumpPost(db, postId, authorId, now);
      if (bumped === "done") tellPostLists(context, postId, true);
      return typeof bumped === "object" ? refuseLimited(context, bumped) : BUMPED[bumped];
    }
    case "reopen": {
      const reopened = await reopenPost(db, postId, authorId, now);
      if (reopened === "listed") tellPostLists(context, postId);
      if (reopened === "listed" || reopened === "complete") tellTeams(context, postId);
      return typeof reopened === "object" ? refuseLimited(context, reopened) : REOPENED[reopened];
    }
    case "close": {
      const { outcome, concerned } = await closePost(db, postId, authorId, now);
      if (outcome === "missing") return "missing";
      tellUnread(context, ...concerned);
      tellTeams(context, postId);
      if (outcome === "unlisted") tellPostLists(context, postId);
      return CLOSED[outcome];
    }
    default:
      return button satisfies never;
  }
}

const ALREADY_CLOSED = { status: 409, error: "This post is already closed." } as const;

const BUMPED: Record<Extract<Awaited<ReturnType<typeof bumpPost>>, string>, Answer> = {
  done: { title: "Post bumped", description: "It's at the top of the list again." },
  missing: "missing",
  "too-soon": { status: 409, toastTitle: "Not yet", error: "You can bump a post every 30 minutes." },
  hidden: { status: 409, error: "Moderators have hidden this post, so you can't bump it." },
  closed: ALREADY_CLOSED,
};

const REOPENED: Record<Extract<Awaited<ReturnType<typeof reopenPost>>, string>, Answer> = {
  listed: { title: "Post reopened", description: "It's back where it was in the list. Bump it to move it to the top." },
  complete: { title: "Post reopened", description: "It'll be back in the list as soon as someone leaves your team." },
  missing: "missing",
  full: { status: 409, error: "You already have three other posts open. Close one, then reopen this one." },
  hidden: { status: 409, error: "Moderators have hidden this post, so you can't reopen it." },
  played: {
    status: 409,
    error: "Your team's session is over, so you can't reopen this post. You can write a new one.",
  },
  expired: { status: 409, error: "This post's 24 hours are over, so you can't reopen it. You can write a new one." },
};

const CLOSED: Record<Exclude<Awaited<ReturnType<typeof closePost>>["outcome"], "missing">, Answer> = {
  unlisted: {
    title: "Post closed",
    description: "Other players no longer see it in the list. You can reopen it on its page.",
  },
  complete: {
    title: "Post closed",
    description: "It stays closed when someone leaves your team. You can reopen it on its page.",
  },
  hidden: { status: 409, error: "Moderators have hidden this post, so you can't close it." },
  over: ALREADY_CLOSED,
};
