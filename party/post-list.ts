import * as z from "zod/mini";
import { fitsFilters } from "~/features/lfg/fits";
import { callRoom } from "~/platform/rooms/rooms.server";
import { Room, type Socket } from "./room";
import type { ListedPost, PostListCalls, PostListVisitor, Visitor } from "./wire/calls";
import { CLOSE } from "./wire/frames";
import type { PostServerMessage } from "./wire/post-frames";

/** How long an announced post is kept, in milliseconds: longer than a socket takes to open. */
const KEPT_FOR = 20_000;

interface PostListState extends Visitor {
  filters: PostListVisitor["filters"];
  readAt: number;
}

/** A post that was announced to the open lists. */
interface RecentPost extends ListedPost {
  at: number;
}

/**
 * One of the rooms of the list of posts (docs/decisions/0064-live-lists.md), for a share of all players. It tells the
 * open lists of these players about posts that their filters would show, and about changes of the posts on their cards.
 * It stores and reads no data: the Worker passes each post's facts, and the players who may not see it. Posts announced
 * in the last few seconds stay in memory, for calls that overtake each other and for sockets that are about to open.
 */
export class PostList extends Room<PostListVisitor, PostListState, never, PostServerMessage> implements PostListCalls {
  protected readonly incoming = z.never();

  /** The posts announced lately. If a post is among them more than once, its last entry has the latest facts. */
  #recent: RecentPost[] = [];

  async tell(post: ListedPost): Promise<void> {
    const at = Date.now();
    const lately = this.#recent.filter((recent) => at - recent.at < KEPT_FOR);
    const known = lately.findLast(({ facts }) => facts.id === post.facts.id);
    const isOvertaken = known && known.readAt > post.readAt;
    const latest = isOvertaken ? { ...known, isNew: post.isNew && known.facts.isOpen, at } : { ...post, at };
    this.#recent = [...lately, latest];
    for (const [frame, isRecipient] of framesOf(latest)) this.sendToAll(frame, isRecipient);
  }

  protected pickState({ userId, sessionId, expiresAt, filters, readAt }: PostListVisitor): PostListState {
    return { userId, sessionId, expiresAt, filters, readAt };
  }

  protected onEnter(socket: Socket<PostListState>, { newer, shown }: PostListVisitor): void {
    this.sendTo(socket, { type: "list", newer, shown });
    const visitor = this.visitor(socket);
    // Posts are filtered before their frames are made: after a deployment many sockets open at once, and frames cost
    // time.
    const missed = this.#recent.filter((post) => post.readAt >= visitor.readAt);
    for (const [frame, isRecipient] of missed.flatMap(framesOf)) if (isRecipient(visitor)) this.sendTo(socket, frame);
    this.runInBackground("Checking a session", this.#leaveIfEnded(socket));
  }

  protected onLeave(): void {
    // No state depends on visitors leaving.
  }

  protected onFrame(): void {
    // Pages send nothing here: the filters are part of the socket's URL.
  }

  /**
   * Closes a socket whose session ended between the Worker's check and the opening of the socket. If the inbox can't
   * say, the page reconnects, and the Worker checks again.
   */
  async #leaveIfEnded(socket: Socket<PostListState>): Promise<void> {
    const { userId, sessionId } = this.visitor(socket);
    try {
      const hasEnded = await callRoom(() => this.settings.INBOX_ROOMS.getByName(userId).hasEnded(sessionId));
      if (hasEnded) this.dismiss(socket, CLOSE.sessionEnded, "The session has ended");
    } catch (error) {
      this.dismiss(socket, CLOSE.restart, "Not checked");
      throw error;
    }
  }
}

/** Returns the frames about a post, each with its recipients: lists that were read before the post's facts. */
function framesOf({ facts, isNew, hiddenFrom, readAt }: ListedPost) {
  const { id, openSpots, takenSpots, isOpen } = facts;
  const hidden = new Set(hiddenFrom);
  const concerns = (visitor: PostListState) => visitor.readAt <= readAt && !hidden.has(visitor.userId);
  const fits = ({ userId, filters }: PostListState) => userId !== facts.authorId && fitsFilters(facts, filters);
  const frame = { type: "post", isNew, id, openSpots, takenSpots, isOpen } as const;
  const frames: [PostServerMessage, (visitor: PostListState) => boolean][] = [
    [{ ...frame, fits: true }, (visitor) => concerns(visitor) && fits(visitor)],
  ];
  // A new post is on no card yet, and a bump doesn't change what cards show.
  if (!isNew) frames.push([{ ...frame, fits: false }, (visitor) => concerns(visitor) && !fits(visitor)]);
  return frames;
}
