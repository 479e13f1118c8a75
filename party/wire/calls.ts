import type { Rank } from "~/game/ranks";
import type { Region } from "~/game/regions";
import type { Role } from "~/game/roles";
import type { VoiceComms } from "~/game/voice";
import type { ConversationServerMessage } from "./conversation-frames";
import type { PostState } from "./post-frames";
import type { SeenPresence } from "./presence";
import type { Command, Outcome } from "./tournament-commands";

/* Calls between the Worker and the rooms, over the rooms' bindings. Browsers can't make these calls. */

/**
 * The header in which the Worker identifies a socket's owner to a room. The Worker never forwards it from a browser.
 */
export const VISITOR_HEADER = "X-Lineup-Visitor";

/** The owner of a socket, as the Worker identified them when the socket was opened. */
export interface Visitor {
  userId: string;
  sessionId: string;
  /** When the session ends unless it is renewed, in milliseconds since 1970. */
  expiresAt: number;
  /** When the socket's page read its data, in milliseconds since 1970; 0 or left out if the page doesn't say. */
  since?: number;
}

/** The data that the Worker passes to the room of a conversation with a new socket. */
export interface ConversationVisitor extends Visitor {
  /**
   * The other members whose typing and read marks the visitor may see. Leaves out members across a block. In a chat of
   * two, also leaves out the other player if they don't know the visitor.
   */
  others: string[];
  /** Whether this is a chat of two. Only there do pages show presence: that of `others`. */
  isPair: boolean;
  /** The number of the conversation's last message. */
  lastSeq: number;
}

/** The data that the Worker passes to an inbox with a new socket. */
export interface InboxVisitor extends Visitor {
  /** The player's unread counts, and for moderators the number of open cases. */
  unread: { messages: number; notifications: number; cases?: number };
  /** Whether nobody may see the player's presence. */
  isHidden: boolean;
}

/** Calls that every room accepts. */
interface RoomCalls extends Rpc.DurableObjectBranded {
  /** Closes the sockets of a session that has ended. */
  closeSession(sessionId: string): Promise<void>;
}

/** The recipients of a message among the members of a conversation, by id. */
export interface Audience {
  to: string[];
  /** Members who have blocked the sender: they get the message without its content. */
  hiddenFrom: string[];
  /**
   * Set if the message is the sender's first reply to a player, who may now see the sender's activity. `readSeq` is the
   * number of the last message that the sender has read.
   */
  firstAnswer?: { readSeq: number };
}

/** Calls to the room of a conversation. Its name is the conversation's id. */
export interface ConversationCalls extends RoomCalls {
  /**
   * Sends a message to the members in the room, or to some of them. A chat message is broadcast only the first time,
   * unless it has changed.
   * @param audience the members who may see it; all if left out
   */
  tell(message: ConversationServerMessage, audience?: Audience): Promise<void>;
  /**
   * Updates the presence of a member whose inbox this room watches.
   * @returns false if nobody in the room can see it, and the inbox may therefore drop the room
   */
  tellPresence(userId: string, presence: SeenPresence): Promise<boolean>;
  /** Forgets the presence of a member whose account is erased. They count as offline in open pages. */
  forgetMember(userId: string): Promise<void>;
}

/** A change that may concern a player's unread counts. */
export interface InboxChange {
  /** The conversation that has changed, if any. */
  conversationId?: string | undefined;
  /** Whether the number of open cases may have changed, too; only moderators are told. */
  hasCases?: boolean;
  /**
   * Whether notifications may have come, changed or gone. The tabs can't see it from the counts: a second event about
   * the same subject changes an unread notification. Left out if the player has merely read some.
   */
  hasNews?: boolean;
}

/** Calls to a player's inbox. Its name is the player's id. */
export interface InboxCalls extends RoomCalls {
  /** Closes the sockets of several sessions. */
  closeSessions(sessionIds: string[]): Promise<void>;
  /**
   * Closes the sockets of sessions that ended without a call to this room, and records the new expiry of renewed
   * sessions.
   */
  checkSessions(): Promise<void>;
  /**
   * Counts what is unread, and sends the counts to all tabs of the player. The callers send no counts, because two
   * calls may overtake each other, and the tabs would keep the older counts.
   */
  recount(change?: InboxChange): Promise<void>;
  /** Sends pending pushes to the player's devices, unless one of the player's tabs is in view. */
  push(): Promise<void>;
  /**
   * Records that a session of this player has a socket in a conversation's room, so that ending the session also closes
   * that socket.
   * @returns false if the session has just ended: the room closes the socket itself
   */
  enter(conversationId: string, sessionId: string): Promise<boolean>;
  /** Whether a session of this player has just ended. */
  hasEnded(sessionId: string): Promise<boolean>;
  /** Undoes `enter`. */
  leave(conversationId: string, sessionId: string): Promise<void>;
  /**
   * Subscribes the room to this player's presence.
   * @returns the player's current presence; null if they hide it, or have never been online
   */
  watch(conversationId: string): Promise<SeenPresence | null>;
  /** Hides the player's presence from everyone, or shows it again. */
  setHidden(isHidden: boolean): Promise<void>;
  /** Undoes `watch`. */
  unwatch(conversationId: string): Promise<void>;
  /**
   * Closes all sockets of a player whose account is erased, and deletes everything that this room and the watching
   * rooms store about the player. Throws if a room couldn't be reached: the caller tries again later.
   */
  forget(): Promise<void>;
}

/**
 * The data that the Worker passes to the room of a tournament with a new socket. For a guest both ids are `guest-` and
 * the IP address.
 */
export interface TournamentVisitor extends Visitor {
  isGuest: boolean;
}

/** Calls to the room of a tournament. Its name is the tournament's id. */
export interface TournamentCalls extends RoomCalls {
  /** Loads the tournament ahead of a command. */
  prepare(): Promise<void>;
  /**
   * Carries out a player's command, after those that came before it. Returns "unavailable" if the database didn't
   * answer: an error would lose its class on the way to the Worker.
   */
  play(actorId: string, command: Command): Promise<Outcome | "unavailable">;
  /**
   * Applies deadlines: unanswered reports are confirmed, organisers are notified of overdue matches, and matches that
   * lost their deadlines are called again. Throws if the tournament can't be stored.
   */
  settle(): Promise<void>;
  /** Tells the room about a change made elsewhere: a registration, an edit. */
  changed(): Promise<void>;
}

/** The facts by which lists filter a post. */
export interface PostFacts extends PostState {
  authorId: string;
  requiredRank: Rank | null;
  requiredRole: Role | null;
  region: Region | null;
  voiceComms: VoiceComms | null;
  /** Title and message, folded for search. */
  searchText: string;
  /** The words of the author's name. */
  names: string[];
  /** Whether the author is online, if everyone may see that; else false. */
  isAuthorOnline: boolean;
}

/** A post that open lists are told about. */
export interface ListedPost {
  facts: PostFacts;
  /** Whether it has moved to the top of the list. */
  isNew: boolean;
  /** Players who have blocked the author or were blocked by them: they aren't notified. */
  hiddenFrom: string[];
  /** When the facts were read, by the database's clock. */
  readAt: number;
}

/** The data that the Worker passes to a room of the list of posts with a new socket. */
export interface PostListVisitor extends Visitor {
  /** The page's filters. `tests/unit/lfg-filters.test.ts` checks that they are those of `POST_LIST`. */
  filters: {
    rank: Rank | null;
    role: Role | null;
    region: Region | null;
    voice: VoiceComms | null;
    players: number | null;
    q: string;
    online: boolean;
  };
  /** The posts listed since the page was loaded, by id. */
  newer: string[];
  /** The state of the posts that the page shows. */
  shown: PostState[];
  /** When both were read, by the database's clock. */
  readAt: number;
}

/** Calls to a room of the list of posts. Its name is `posts-` and the number of its share of the players. */
export interface PostListCalls extends RoomCalls {
  /**
   * Tells the open lists about a post, except those of players in `hiddenFrom`. Calls may overtake each other, so the
   * lists are told the facts that were read last.
   */
  tell(post: ListedPost): Promise<void>;
}
