import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { POST_LIST } from "~/features/lfg/filters";
import { needs } from "~/features/lfg/post-card";
import { listOpenPosts } from "~/features/lfg/post-list.server";
import { presentPost } from "~/features/lfg/present.server";
import { CONVERSATION_LIST } from "~/features/messages/list/cursor";
import { listConversations } from "~/features/messages/list/queries.server";
import { presentConversation } from "~/features/messages/present.server";
import { listPlayers, type PlayerRow } from "~/features/players/directory/directory.server";
import { playersPath, readPlayerPage } from "~/features/players/directory/filters.server";
import { displayName, initial } from "~/features/players/rules";
import { verifiedMark } from "~/features/riot/rules";
import { SEARCH } from "~/features/search/filters";
import { type SearchGroup, type SearchResults, SHOWN, searchGroup } from "~/features/search/results";
import { findTournaments, TITLES_SEARCHED } from "~/features/tournaments/list/queries.server";
import { hostName } from "~/features/tournaments/present.server";
import { STATE_WORDS } from "~/features/tournaments/states";
import type { RequestContext } from "~/platform/context";
import { dateWords } from "~/platform/dates/dates";
import { foldForSearch } from "~/platform/lists/search-text";
import { readSearch, type SearchParams, type Values, writeSearch } from "~/platform/search-params/search-params";
import { requireClaimedUserId, requireViewer } from "~/platform/session/guards.server";

/* In a file of its own for the reason given in `dashboard/load-dashboard.server.ts`. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<SearchResults> {
  const userId = await requireClaimedUserId(context, request);
  const [found] = await Promise.all([findEverywhere(context, userId, request), requireViewer(context, request)]);
  return found;
}

/** Finds what an address asks for, in all four lists. One round trip. The caller checks the session. */
export async function findEverywhere(
  context: RequestContext,
  userId: string,
  request: Request,
): Promise<SearchResults> {
  const { q } = readSearch(SEARCH, new URL(request.url).searchParams);
  // A combining accent alone isn't empty, but it folds to nothing, so there is nothing to search for.
  if (!foldForSearch(q)) return { q, groups: [] };
  const groups = await Promise.all(
    [findPlayers, findPosts, findCups, findConversations].map((find) => find(context, userId, q)),
  );
  return { q, groups: groups.flat() };
}

/** Reads the words as a list's own search does: within its limits, and as its address will hold them. */
const readAs = <Params extends SearchParams>(params: Params, name: string, q: string): Values<Params> =>
  readSearch(params, new URLSearchParams({ [name]: q }));

const NO_FACTS = { banner: null, verified: null, rank: null, role: null };

async function findPlayers({ db }: RequestContext, userId: string, q: string): Promise<SearchGroup[]> {
  const { filters } = readPlayerPage(new URLSearchParams({ name: q }));
  const { found, end } = await listPlayers(db, filters, userId, null);
  // Names that begin with the words come before those that have them further on.
  const wanted = foldForSearch(filters.name);
  const isLater = (player: PlayerRow) => Number(!foldForSearch(displayName(player)).startsWith(wanted));
  return searchGroup("Players", {
    found: [...found]
      .sort((a, b) => isLater(a) - isLater(b))
      .map((player) => {
        const name = displayName(player);
        return {
          to: `/players/${player.userId}`,
          name,
          banner: { letter: initial(name), picture: player.avatarId },
          verified: verifiedMark({
            verified: player.riotVerifiedAt !== null,
            riotProven: player.riotProvenAt !== null,
          }),
          rank: player.currentRank,
          role: player.preferredRole,
          facts: player.region ? [player.region] : [],
        };
      }),
    isCut: end !== null,
    more: { to: playersPath({ name: filters.name }), label: `All players matching “${filters.name}”` },
    limit: "Too many names start like this to search them all.",
  });
}

async function findPosts(context: RequestContext, userId: string, q: string): Promise<SearchGroup[]> {
  const { cursor, seen: _, ...filters } = readAs(POST_LIST, "q", q);
  const [{ found, end }, clock] = await Promise.all([
    listOpenPosts(context.db, filters, cursor, userId, context.now, SHOWN + 1),
    context.clock(),
  ]);
  return searchGroup("Posts", {
    found: found.map((row) => {
      const post = presentPost(row, clock);
      return {
        ...NO_FACTS,
        to: `/lfg/${post.id}`,
        name: post.title,
        facts: [post.author.name, needs(post.openSpots), `${post.timeLeft} left`],
      };
    }),
    isCut: end !== null,
    more: { to: `/dashboard${writeSearch(POST_LIST, filters)}`, label: `All posts matching “${filters.q}”` },
    limit: "Only the newest posts were searched.",
  });
}

async function findCups(context: RequestContext, userId: string, q: string): Promise<SearchGroup[]> {
  const [{ found, isCut }, clock] = await Promise.all([findTournaments(context.db, q, { userId }), context.clock()]);
  const show = dateWords(clock);
  return searchGroup("Tournaments", {
    found: found.map(({ id, title, state, tournamentDate, host }) => ({
      ...NO_FACTS,
      to: `/tournaments/${id}`,
      name: title,
      facts: [STATE_WORDS[state], show(tournamentDate).text, `Hosted by ${hostName(host)}`],
    })),
    isCut,
    more: { to: "/dashboard/tournaments", label: "All tournaments" },
    limit: `Only the newest ${TITLES_SEARCHED} tournaments were searched.`,
  });
}

async function findConversations(context: RequestContext, userId: string, q: string): Promise<SearchGroup[]> {
  const { q: search } = readAs(CONVERSATION_LIST, "q", q);
  const [page, clock] = await Promise.all([
    listConversations(context.db, userId, { search, cursor: null, now: context.now.getTime() }),
    context.clock(),
  ]);
  return searchGroup("Conversations", {
    found: page.items.map((row) => {
      const { id, name, letters, picture, preview, time } = presentConversation(row, clock);
      return {
        ...NO_FACTS,
        to: `/dashboard/messages/${id}`,
        name,
        banner: { letter: letters[0], picture },
        facts: [preview, time.ago],
      };
    }),
    isCut: page.cutShort !== null,
    more: {
      to: `/dashboard/messages${writeSearch(CONVERSATION_LIST, { q: search })}`,
      label: `All conversations matching “${search}”`,
    },
    limit: "Only your latest conversations were searched.",
  });
}
