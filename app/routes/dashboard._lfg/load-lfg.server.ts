import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { bestMatches, countWords, MAX_BEST_REASONS, postPage } from "~/features/lfg/best-matches";
import { POST_LIST } from "~/features/lfg/filters";
import { LIVE_LIST } from "~/features/lfg/live-list.server";
import { presentOwnTeam } from "~/features/lfg/own-teams.server";
import { listOpenPosts } from "~/features/lfg/post-list.server";
import { cardOf, matchPost, presentPost } from "~/features/lfg/present.server";
import { listOwnOpenPosts, type PostRow } from "~/features/lfg/queries.server";
import { findPushOffer } from "~/features/notifications/push/queries.server";
import { OFFERED_FOR } from "~/features/notifications/push/rules";
import { chooseOnlinePlayers, listOnlinePlayers } from "~/features/players/online.server";
import { findProfile } from "~/features/players/queries.server";
import { presentReady } from "~/features/players/ready/present.server";
import { displayName, initial } from "~/features/players/rules";
import type { Match } from "~/features/players/shared/match";
import { matchProfileOf, NO_PROFILE } from "~/features/players/shared/match-profile";
import { findHeldSignupAccount } from "~/features/riot/queries.server";
import { listBriefRequests, listOwnTeams } from "~/features/teams/queries.server";
import { listStandings, presentStanding } from "~/features/teams/shared/standing.server";
import { findNextTournament, listUnfinished } from "~/features/tournaments/list/queries.server";
import { presenter, presentNextTournament, presentOwnTournament } from "~/features/tournaments/present.server";
import { queueRange } from "~/game/queue";
import { type Cursor, linksOf } from "~/platform/lists/keyset";
import { redirectToFirstPage } from "~/platform/lists/keyset.server";
import { hideFromScript } from "~/platform/pages/hide-from-script.server";
import { countActiveFilters, readSearch, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";

const LIST = "/dashboard";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { db, now } = context;
  const { searchParams } = new URL(request.url);
  const { cursor, seen: named, ...filters } = readSearch(POST_LIST, searchParams);
  const seen = cursor ? named : [];
  const addressOf = (at: { cursor?: Cursor | null; seen?: string[] }) =>
    LIST + writeSearch(POST_LIST, { ...filters, ...at });
  const userId = await requireClaimedUserId(context, request);
  const [
    viewer,
    profile,
    held,
    walked,
    own,
    requests,
    standings,
    playing,
    pushKey,
    online,
    tournament,
    entered,
    clock,
  ] = await Promise.all([
    requireViewer(context, request),
    findProfile(db, userId),
    findHeldSignupAccount(db, userId),
    listOpenPosts(db, filters, cursor, userId, now),
    listOwnOpenPosts(db, userId, now),
    listBriefRequests(db, userId, now),
    listStandings(db, userId, now),
    listOwnTeams(db, userId, now),
    findPushOffer(context),
    listOnlinePlayers(db, userId, now),
    findNextTournament(db, { userId, now }),
    listUnfinished(db, { userId, now }),
    context.clock(),
  ]);
  const name = displayName({ userId, riotGameName: null, riotId: null, ...profile });
  const you = { letter: initial(name), picture: profile?.avatarId ?? null, isYou: true };
  const me = matchProfileOf(profile ?? NO_PROFILE, clock, true);
  const matches = new Map<string, Match | null>();
  /** Matches each post once: the best matches are chosen from all that were found, and then shown. */
  const matchOf = (post: PostRow) => {
    const known = matches.get(post.id);
    if (known !== undefined) return known;
    const match = post.userId === userId ? null : matchPost(post, me, clock);
    matches.set(post.id, match);
    return match;
  };
  const best = cursor ? [] : bestMatches(walked.found, me, matchOf);
  const bestIds = best.map(({ post }) => post.id);
  const page = postPage(walked, cursor, { best: bestIds, seen });
  /** Presents a post for its card. */
  const card = (post: PostRow, reasons?: number) => {
    const standing = standings.get(post.id);
    const isOwn = post.userId === userId;
    const relation = { isOwn, asked: standing?.state ?? null, match: matchOf(post), seesPresence: !isOwn };
    const view = {
      ...cardOf(presentPost(post, clock, relation, reasons)),
      ...(isOwn && { isOwn }),
      ...(standing && { standing: presentStanding(standing) }),
      ...(standing?.state === "accepted" && { you }),
    };
    // The script needs `listed` of the viewer's own posts: it shows a bump before the server has responded.
    return isOwn ? hideFromScript(context, view, "details") : hideFromScript(context, view, "details", "listed");
  };
  const shown = [...bestIds, ...page.items.map(({ id }) => id)];
  const list = addressOf({ cursor, seen });
  redirectToFirstPage(request, { cursor, page, first: addressOf({}) });
  const chosen = chooseOnlinePlayers(online, me, clock);
  const aside =
    me.rank || chosen.length > 0 || tournament
      ? {
          queue: me.rank && { you: me.rank, ...queueRange(me.rank) },
          online: chosen,
          tournament: tournament ? presentNextTournament(tournament, presenter(clock)) : null,
        }
      : null;
  const view = {
    name: viewer.name,
    ready: presentReady(request, context, profile, { held, list }),
    you,
    filters,
    filterCount: countActiveFilters(POST_LIST, filters),
    isFirstPage: cursor === null,
    best: best.map(({ post }) => card(post, MAX_BEST_REASONS)),
    sortedFor: [me.rank, me.role, me.region, me.hours && "your hours"].filter((fact) => fact !== null).join(", "),
    hasAside: aside !== null,
    aside,
    hasTournaments: entered.length > 0,
    tournaments: entered.map((row) => presentOwnTournament(row, presenter(clock))),
    posts: page.items.map((post) => card(post)),
    pages: linksOf(page, (place) => addressOf({ cursor: place, seen: cursor ? seen : bestIds })),
    count: cursor ? null : countWords(walked),
    teams: playing.teams.map((team) => presentOwnTeam(team, userId)),
    hasMoreTeams: playing.hasMore,
    own: own.map((post) => {
      const { id, title, openSpots, takenSpots, requiredRole, listed, closes, bumpIn } = presentPost(
        { ...post, author: null },
        clock,
      );
      const asking = { asking: post.requests, requests: requests.get(post.id)?.requests ?? [] };
      return { id, title, openSpots, takenSpots, requiredRole, listed, closes, bumpIn, ...asking };
    }),
    // Offered only to the author of a new post, who is waiting for answers.
    pushKey: own.some(({ createdAt }) => now.getTime() - createdAt.getTime() < OFFERED_FOR) ? pushKey : null,
    list,
    live: {
      room: `/parties/posts${writeSearch(LIVE_LIST, { ...filters, since: now.getTime() })}`,
      list: addressOf({}),
      shown,
    },
  };
  return hideFromScript(context, view, "aside", "tournaments");
}
