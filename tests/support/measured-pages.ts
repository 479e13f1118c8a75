import { addPlayedTournament } from "./brackets";
import { Client, signIn } from "./client";
import { openTestDatabase } from "./database";
import { select } from "./html";

/** The pages with budgets and benchmarks, by name. */
export const MEASURED_PAGES = [
  "landing",
  "sign-in",
  "LFG",
  "Messages",
  "thread",
  "Players",
  "player",
  "Tournaments",
  "bracket",
] as const;

export type MeasuredPage = (typeof MEASURED_PAGES)[number];

/** The pages that wait for the database and have a `Link` header: the bench also visits them with Early Hints. */
export const HINTED_PAGES: readonly MeasuredPage[] = ["LFG", "Messages", "Players", "Tournaments"];
/** The bench's name of those visits. */
export const WITH_HINTS = "ours with Early Hints" as const;

export interface MeasuredAddress {
  path: string;
  /** Whether a signed-out visitor opens it. */
  isPublic: boolean;
  /** A CSS selector of the page's items; the first one is what a visitor waits for. */
  item: string;
}

/** The signed-in visitor of all measured pages, in the world `busy`. */
export const MEASURED_VISITOR = "player1@example.com";

/**
 * Finds the addresses of the measured pages in an app with the world `busy`, and adds a bracket of 64 teams in which 40
 * of the 63 matches have been played.
 */
export async function findMeasuredPages(app: {
  url: string;
  libsqlUrl: string;
  libsqlAuthToken: string | undefined;
}): Promise<Record<MeasuredPage, MeasuredAddress>> {
  const client = await signIn(new Client(app.url), MEASURED_VISITOR);
  const firstLink = async (page: string, selector: string) => {
    const { text } = await client.get(page);
    const href = select(text, selector).first().attr("href");
    if (!href) throw new Error(`${page} has no ${selector}.`);
    return href;
  };
  const players = "/dashboard/players?sort=best";
  const bracket = await addPlayedTournament(openTestDatabase(app), { teams: 64, play: 40 });
  const open = (path: string, item: string, isPublic = false) => ({ path, item, isPublic });
  return {
    landing: open("/", "main h1", true),
    "sign-in": open("/auth", "main form", true),
    LFG: open("/dashboard", "main article"),
    Messages: open("/dashboard/messages", 'nav[aria-label="Conversations"] li'),
    thread: open(
      await firstLink("/dashboard/messages", 'nav[aria-label="Conversations"] a[href^="/dashboard/messages/"]'),
      '[role="log"] li',
    ),
    Players: open(players, 'main a[href^="/players/"]'),
    player: open(await firstLink(players, 'main a[href^="/players/"]'), "main h1"),
    Tournaments: open("/dashboard/tournaments", "main article"),
    bracket: open(`/tournaments/${bracket.id}`, "article.match"),
  };
}
