import * as z from "zod/mini";
import { fitsFilters } from "~/features/lfg/fits";
import { callRoom } from "~/platform/rooms/rooms.server";
import { Room, type Socket } from "./room";
import type { ListedPost, PostListCalls, PostListVisitor, Visitor } from "./wire/calls";
import { CLOSE } from "./wire/frames";
import type { PostServerMessage } from "./wire/post-frames";

interface PostListState extends Visitor {
  filters: PostListVisitor["filters"];
}

/**
 * One of the rooms of the list of posts (docs/decisions/0064-live-lists.md), for a share of all players. It tells the
 * open lists of these players about posts that their filters would show, and about changes of the posts on their cards.
 * It stores and reads no data: the Worker passes each post's facts, and the players who may not see it.
 */
export class PostList extends Room<PostListVisitor, PostListState, never> implements PostListCalls {
  protected readonly incoming = z.never();

  async tell({ facts, isNew, hiddenFrom }: ListedPost): Promise<void> {
    const { id, openSpots, takenSpots, isOpen } = facts;
    const hidden = new Set(hiddenFrom);
    const fits = ({ userId, filters }: PostListState) => userId !== facts.authorId && fitsFilters(facts, filters);
    const frame = { type: "post", isNew, id, openSpots, takenSpots, isOpen } as const;
    this.#broadcast({ ...frame, fits: true }, (visitor) => !hidden.has(visitor.userId) && fits(visitor));
    // A new post is on no card yet, and a bump doesn't change what cards show.
    if (!isNew) {
      this.#broadcast({ ...frame, fits: false }, (visitor) => !hidden.has(visitor.userId) && !fits(visitor));
    }
  }

  protected pickState({ userId, sessionId, expiresAt, filters }: PostListVisitor): PostListState {
    return { userId, sessionId, expiresAt, filters };
  }

  protected onEnter(socket: Socket<PostListState>, { newer, shown }: PostListVisitor): void {
    this.sendTo(socket, { type: "list", newer, shown } satisfies PostServerMessage);
    this.runInBackground("Checking a session", this.#leaveIfEnded(socket));
  }

  protected onLeave(): void {
    // No state depends on visitors leaving.
  }

  protected onFrame(): void {
    // Pages send nothing here: the filters are part of the socket's address.
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

  #broadcast(message: PostServerMessage, isRecipient: (visitor: PostListState) => boolean): void {
    this.sendToAll(message, isRecipient);
  }
}
