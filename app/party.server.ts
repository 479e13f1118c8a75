import {
  type ConversationVisitor,
  type InboxVisitor,
  type PostListVisitor,
  type TournamentVisitor,
  VISITOR_HEADER,
  type Visitor,
} from "#party/wire/calls";
import { findMissed, LIVE_LIST } from "~/features/lfg/live-list.server";
import { postListRoomOf } from "~/features/lfg/shared/post-rooms.server";
import { findMembership } from "~/features/messages/queries.server";
import { countForHeader, countsOf } from "~/features/notifications/shared/unread.server";
import { findPresencePolicy } from "~/features/players/shared/presence-policy.server";
import { isTournament } from "~/features/tournaments/play/queries.server";
import type { RequestContext } from "~/platform/context";
import { isDatabaseUnavailable } from "~/platform/database";
import { HOUR } from "~/platform/dates/durations";
import { plainAnswer } from "~/platform/request/plain-answer";
import { readSearch } from "~/platform/search-params/search-params";
import { findOpenSessions } from "~/platform/session/store.server";
import type { SessionClaim } from "~/platform/session/viewer";

const ADDRESS = /^\/parties\/(?:inbox|posts|(conversation|tournament)\/([\w-]{1,64}))$/;

/** The lifetime of a guest's socket on a tournament, after which the page reconnects, in milliseconds. */
const GUEST_SOCKET_LIFETIME = 12 * HOUR;

/**
 * The search parameter `since`: when the page read its data, in milliseconds since 1970. Rooms send it any news since
 * then.
 */
const PAGE = { since: LIVE_LIST.since };

/** Whether a request is for a room rather than for Remix. */
export const isForRoom = (request: Request): boolean => new URL(request.url).pathname.startsWith("/parties/");

/**
 * Opens a browser's socket to a room: the player's own inbox (`/parties/inbox`), a conversation of theirs
 * (`/parties/conversation/:id`), a list of posts (`/parties/posts`) or a tournament (`/parties/tournament/:id`), which
 * is public. Session and membership are checked in one round trip. The browser's own request is not forwarded, because
 * partyserver would take a connection id and settings from it.
 * @returns the response that opens the socket; 401 without a session, 403 for another site's page, 404 for a room that
 *   doesn't exist or isn't the player's, 405 and 426 for a request that opens no socket, 503 while the database is
 *   unavailable
 */
export async function openSocket(request: Request, context: RequestContext): Promise<Response> {
  const { pathname } = new URL(request.url);
  const address = ADDRESS.exec(pathname);
  if (!address) return plainAnswer(request, 404, "There's nothing here.");
  if (request.method !== "GET") return plainAnswer(request, 405, "This address only takes GET.", { Allow: "GET" });
  if (request.headers.get("Upgrade")?.toLowerCase() !== "websocket") {
    return plainAnswer(request, 426, "This address only takes WebSockets.", { Upgrade: "websocket" });
  }
  // A page of any origin can open a socket, and one on our own site (`SameSite=Lax`) does so with our cookies. Browsers
  // also send the page's origin.
  if (request.headers.get("Origin") !== context.origin) {
    context.log.warn("Refused a socket from another origin", { path: pathname });
    return plainAnswer(request, 403, "This request didn't come from a page on Lineup.");
  }
  const [, room, id = ""] = address;
  try {
    if (room === "tournament") return await enterTournament(request, context, id);
    const { claim } = context;
    if (!claim) return plainAnswer(request, 401, "Sign in first.");
    if (pathname === "/parties/posts") return await enterPostList(request, context, claim);
    const conversationId = room && id;
    return await (conversationId
      ? enterConversation(request, context, claim, conversationId)
      : enterInbox(request, context, claim));
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    context.log.error("The database is unavailable", error);
    return plainAnswer(request, 503, "Something isn't working on our side right now.");
  }
}

async function enterConversation(
  request: Request,
  context: RequestContext,
  claim: SessionClaim,
  conversationId: string,
): Promise<Response> {
  const { userId, sessionId } = claim;
  const [expiresAt, membership] = await Promise.all([
    findExpiry(context, claim),
    findMembership(context.db, conversationId, userId),
  ]);
  if (!expiresAt) return plainAnswer(request, 401, "Sign in first.");
  if (!membership) return plainAnswer(request, 404, "There's nothing here.");
  const visitor: ConversationVisitor = { userId, sessionId, expiresAt, ...readPage(request), ...membership };
  return context.env.CONVERSATION_ROOMS.getByName(conversationId).fetch(upgrade(visitor));
}

async function enterInbox(request: Request, context: RequestContext, claim: SessionClaim): Promise<Response> {
  const { userId, sessionId } = claim;
  const [expiresAt, totals, policy] = await Promise.all([
    findExpiry(context, claim),
    countForHeader(context.db, userId),
    findPresencePolicy(context.db, userId),
  ]);
  if (!expiresAt || !totals) return plainAnswer(request, 401, "Sign in first.");
  const visitor: InboxVisitor = {
    userId,
    sessionId,
    expiresAt,
    unread: countsOf(totals),
    isHidden: policy === "nobody",
  };
  return context.env.INBOX_ROOMS.getByName(userId).fetch(upgrade(visitor));
}

/** Opens a socket to the list of posts, with the filters in its address. */
async function enterPostList(request: Request, context: RequestContext, claim: SessionClaim): Promise<Response> {
  const { userId, sessionId } = claim;
  const asked = readSearch(LIVE_LIST, new URL(request.url).searchParams);
  const [expiresAt, missed] = await Promise.all([
    findExpiry(context, claim),
    findMissed(context.db, asked, userId, context.now),
  ]);
  if (!expiresAt) return plainAnswer(request, 401, "Sign in first.");
  const { since: _since, shown: _shown, ...filters } = asked;
  const visitor: PostListVisitor = { userId, sessionId, expiresAt, filters, ...missed };
  return postListRoomOf(context.env, userId).fetch(upgrade(visitor));
}

/**
 * Opens a socket to a tournament, which is as public as its page: only its organisers can see a hidden one. Guests with
 * the same IP address count as one visitor.
 */
async function enterTournament(request: Request, context: RequestContext, tournamentId: string): Promise<Response> {
  const [known, expiresAt] = await Promise.all([
    isTournament(context, tournamentId),
    context.claim && findExpiry(context, context.claim),
  ]);
  if (!known) return plainAnswer(request, 404, "There's nothing here.");
  const page = readPage(request);
  const guest = `guest-${context.ip}`;
  const visitor: TournamentVisitor =
    context.claim && expiresAt
      ? { userId: context.claim.userId, sessionId: context.claim.sessionId, expiresAt, isGuest: false, ...page }
      : {
          userId: guest,
          sessionId: guest,
          isGuest: true,
          expiresAt: context.now.getTime() + GUEST_SOCKET_LIFETIME,
          ...page,
        };
  return context.env.TOURNAMENT_ROOMS.getByName(tournamentId).fetch(upgrade(visitor));
}

const readPage = (request: Request) => readSearch(PAGE, new URL(request.url).searchParams);

/** Finds when the claimed session ends, in milliseconds since 1970; undefined if it has ended or never existed. */
async function findExpiry(
  { db, now }: RequestContext,
  { userId, sessionId }: SessionClaim,
): Promise<number | undefined> {
  const open = await findOpenSessions(db, userId, [sessionId], now);
  return open.get(sessionId)?.getTime();
}

/** Builds an upgrade request of our own, with none of the browser's headers. */
const upgrade = (visitor: Visitor) =>
  new Request("https://room.invalid/", {
    headers: { Upgrade: "websocket", [VISITOR_HEADER]: JSON.stringify(visitor) },
  });
