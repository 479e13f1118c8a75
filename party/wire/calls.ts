import type { ConversationServerMessage } from "./conversation-frames";
import type { InboxServerMessage } from "./inbox-frames";
import type { SeenPresence } from "./presence";
import type { Command, Outcome } from "./tournament-commands";

/*
 * What the Worker and the rooms ask of each other, as calls over the rooms' bindings. Nothing that a browser sends
 * becomes one of these.
 */

/** The header in which the Worker tells a room who is at the other end of a socket. It never comes from outside. */
export const VISITOR_HEADER = "X-Lineup-Visitor";

/** Whom a socket belongs to, as the Worker has found when it was opened. */
export interface Visitor {
  userId: string;
  sessionId: string;
  /** When the session ends unless it is renewed, in milliseconds since 1970. */
  expiresAt: number;
}

/** What the Worker hands the room of a conversation with a new socket. */
export interface ConversationVisitor extends Visitor {
  /** The other members, but those with whom there is a block: neither hears of the other. */
  others: string[];
  /** The number of the conversation's last message. */
  lastSeq: number;
}

/** What the Worker hands an inbox with a new socket. */
export interface InboxVisitor extends Visitor {
  /** What the player has not read. */
  unread: { messages: number; notifications: number };
}

/** The calls that any room takes. */
interface RoomCalls extends Rpc.DurableObjectBranded {
  /** Closes the sockets of a session that has ended. */
  closeSession(sessionId: string): Promise<void>;
}

/** The calls that the room of a conversation takes. Its name is the conversation's id. */
export interface ConversationCalls extends RoomCalls {
  /**
   * Tells the members who are here, or only some of them; a message that was told before is not told again.
   * @param to the ids of those who may hear it
   */
  tell(message: ConversationServerMessage, to?: string[]): Promise<void>;
  /**
   * Takes news of a member whose inbox this room watches.
   * @returns false when nobody is here to see it: the inbox may forget the room
   */
  tellPresence(userId: string, presence: SeenPresence): Promise<boolean>;
}

/** The calls that a player's inbox takes. Its name is the player's id. */
export interface InboxCalls extends RoomCalls {
  /** Closes the sockets of several sessions. */
  closeSessions(sessionIds: string[]): Promise<void>;
  /** Tells all tabs of the player. */
  tell(message: InboxServerMessage): Promise<void>;
  /**
   * Notes that a session of this player has a socket in a conversation's room, so that they end together.
   * @returns false when the session has just ended: the room closes the socket itself
   */
  enter(conversationId: string, sessionId: string): Promise<boolean>;
  /** Takes `enter` back. */
  leave(conversationId: string, sessionId: string): Promise<void>;
  /**
   * From now on the room hears of this player's coming and going.
   * @returns the player's presence as it is; null when they were never here
   */
  watch(conversationId: string): Promise<SeenPresence | null>;
  /** Takes `watch` back. */
  unwatch(conversationId: string): Promise<void>;
}

/** What the Worker hands the room of a tournament with a new socket: who looks at it may be a guest. */
export type TournamentVisitor = Visitor;

/** The calls that the room of a tournament takes. Its name is the tournament's id. */
export interface TournamentCalls extends RoomCalls {
  /** Reads the tournament ahead of a command. */
  prepare(): Promise<void>;
  /** Carries out a player's command, after those that came before it. */
  play(actorId: string, command: Command): Promise<Outcome>;
  /** Does what is due: reports that nobody has answered count, and overdue matches are told of. */
  settle(): Promise<void>;
  /** Something has changed without this room's doing: a registration, an edit. */
  changed(): Promise<void>;
}
